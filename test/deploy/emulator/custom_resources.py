"""Adds what moto's CloudFormation lacks for custom resources, such as that of the signing key."""

import json
from typing import Any

from moto import settings
from moto.awslambda.models import LambdaVersion
from moto.awslambda.utils import get_backend
from moto.cloudformation.custom_model import CustomModel
from moto.cloudformation.models import cloudformation_backends


def create_version(
    cls: type[LambdaVersion],
    resource_name: str,
    cloudformation_json: dict[str, Any],
    account_id: str,
    region_name: str,
    **_: Any,
) -> LambdaVersion:
    """Makes a reference to a version return its ARN, with which a trigger names its handler."""
    function = cloudformation_json["Properties"]["FunctionName"]
    published = get_backend(account_id, region_name).publish_version(function)
    version = cls({"Version": published.version})
    version.physical_resource_id = published.function_arn
    return version


def update_custom(
    cls: type[CustomModel],
    original_resource: CustomModel,
    new_resource_name: str,
    cloudformation_json: dict[str, Any],
    account_id: str,
    region_name: str,
) -> CustomModel:
    """Invokes the provider for an update, and waits. moto invokes it only for a creation."""
    properties = cloudformation_json["Properties"]
    stacks = cloudformation_backends[account_id][region_name].stacks.values()
    resources = ((s.stack_id, r) for s in stacks for r in s.custom_resources.values())
    stack_id = next(id_ for id_, resource in resources if resource is original_resource)
    host = f"{settings.moto_server_host()}:{settings.moto_server_port()}"
    path = f"cloudformation_{region_name}/cfnresponse?stack={stack_id}"
    event = {
        "RequestType": "Update",
        "ResponseURL": f"{host}/{path}",
        "StackId": stack_id,
        "RequestId": original_resource.request_id,
        "LogicalResourceId": original_resource.logical_id,
        "PhysicalResourceId": original_resource.resource_name,
        "ResourceType": cloudformation_json["Type"],
        "ResourceProperties": properties,
    }
    functions = get_backend(account_id, region_name)
    provider = functions.get_function(properties["ServiceToken"])
    provider.invoke(json.dumps(event), {}, {})
    return original_resource


CustomModel.update_from_cloudformation_json = classmethod(update_custom)
LambdaVersion.create_from_cloudformation_json = classmethod(create_version)
