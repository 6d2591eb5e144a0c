"""Alarms, as far as the rest of a template needs them."""

from typing import Any

from moto.core.common_models import CloudFormationModel


class Alarm(CloudFormationModel):
    """moto makes no alarm from a template; the dashboard asks for the ARN of each."""

    __module__ = "moto.cloudwatch.models"  # moto reads the service off it

    def __init__(self, name: str, arn: str) -> None:
        self.physical_resource_id = name
        self.arn = arn

    @staticmethod
    def cloudformation_type() -> str:
        return "AWS::CloudWatch::Alarm"

    @classmethod
    def create_from_cloudformation_json(
        cls,
        resource_name: str,
        cloudformation_json: dict[str, Any],
        account_id: str,
        region_name: str,
        **_: Any,
    ) -> "Alarm":
        name = cloudformation_json["Properties"]["AlarmName"]
        return cls(name, f"arn:aws:cloudwatch:{region_name}:{account_id}:alarm:{name}")

    def get_cfn_attribute(self, attribute_name: str) -> str:
        return self.arn
