"""Adds parts of a REST API that moto's CloudFormation ignores in a template."""

from typing import Any

from moto.apigateway.models import Deployment, apigateway_backends
from moto.core.common_models import CloudFormationModel


class Stage(CloudFormationModel):
    """Creates a stage from a template. The address of the API contains its name."""

    __module__ = "moto.apigateway.models"  # moto derives the service from it

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
        )
        return cls(stage.name)


# A reference to a deployment, such as that of the stage, must return its id.
Deployment.physical_resource_id = property(lambda deployment: deployment.id)
