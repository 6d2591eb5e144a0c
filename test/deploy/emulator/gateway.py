"""What a template can say of a REST API, and moto's CloudFormation does not hear."""

from typing import Any

from moto.apigateway.models import Deployment, RestAPI, apigateway_backends
from moto.core.common_models import CloudFormationModel


class Stage(CloudFormationModel):
    """moto has stages, but makes none from a template; the API's address names one."""

    __module__ = "moto.apigateway.models"  # moto reads the service off it

    def __init__(self, name: str) -> None:
        self.physical_resource_id = name

    @staticmethod
    def cloudformation_type() -> str:
        return "AWS::ApiGateway::Stage"

    @classmethod
    def create_from_cloudformation_json(
        cls,
        resource_name: str,
        cloudformation_json: dict[str, Any],
        account_id: str,
        region_name: str,
        **_: Any,
    ) -> "Stage":
        properties = cloudformation_json["Properties"]
        stage = apigateway_backends[account_id][region_name].create_stage(
            properties["RestApiId"],
            properties["StageName"],
            properties["DeploymentId"],
            tracing_enabled=properties.get("TracingEnabled"),
        )
        return cls(stage.name)


class GatewayResponse(CloudFormationModel):
    """moto has the gateway's own answers, but makes none from a template."""

    __module__ = "moto.apigateway.models"

    def __init__(self, name: str) -> None:
        self.physical_resource_id = name

    @staticmethod
    def cloudformation_type() -> str:
        return "AWS::ApiGateway::GatewayResponse"

    @classmethod
    def create_from_cloudformation_json(
        cls,
        resource_name: str,
        cloudformation_json: dict[str, Any],
        account_id: str,
        region_name: str,
        **_: Any,
    ) -> "GatewayResponse":
        properties = cloudformation_json["Properties"]
        apigateway_backends[account_id][region_name].put_gateway_response(
            properties["RestApiId"],
            properties["ResponseType"],
            properties["StatusCode"],
            properties["ResponseParameters"],
            properties["ResponseTemplates"],
        )
        return cls(resource_name)


# A reference to a deployment, such as the stage has, is to give its id.
Deployment.physical_resource_id = property(lambda deployment: deployment.id)


create_rest_api = RestAPI.create_from_cloudformation_json


def create_with_binary_media_types(
    resource_name: str, cloudformation_json: dict[str, Any], *args: Any, **kwargs: Any
) -> RestAPI:
    """moto knows the media types that are binary to an API, but takes none from a template."""
    api = create_rest_api(resource_name, cloudformation_json, *args, **kwargs)
    api.binaryMediaTypes = cloudformation_json["Properties"].get("BinaryMediaTypes", [])
    return api


RestAPI.create_from_cloudformation_json = staticmethod(create_with_binary_media_types)
