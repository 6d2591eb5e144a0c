"""Adds the type AWS::DynamoDB::GlobalTable, which moto's CloudFormation lacks: creates the table of its own region."""

from typing import Any

from moto.core.common_models import CloudFormationModel
from moto.dynamodb.models.table import Table


class GlobalTable(CloudFormationModel):
    __module__ = "moto.dynamodb.models.table"  # moto derives the service from it

    @staticmethod
    def cloudformation_name_type() -> str:
        return "TableName"

    @staticmethod
    def cloudformation_type() -> str:
        return "AWS::DynamoDB::GlobalTable"

    @classmethod
    def create_from_cloudformation_json(cls, *args: Any, **options: Any) -> Table:
        return Table.create_from_cloudformation_json(*args, **options)

    @classmethod
    def delete_from_cloudformation_json(cls, *args: Any, **options: Any) -> None:
        Table.delete_from_cloudformation_json(*args, **options)
