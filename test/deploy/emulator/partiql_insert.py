"""Inserts items whose values are parameters, which moto's PartiQL does not support."""

import re
from typing import Any

from moto.dynamodb.models import DynamoDBBackend

INSERT = re.compile(r"INSERT INTO \"(?P<table>.+)\" VALUE \{(?P<attributes>.+)\}")

execute_other_statement = DynamoDBBackend.execute_statement


def execute_statement(
    self: DynamoDBBackend, statement: str, parameters: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    insert = INSERT.fullmatch(statement)
    if insert is None:
        return execute_other_statement(self, statement, parameters)
    names = re.findall(r"'(\w+)': \?", insert["attributes"])
    self.put_item(
        insert["table"],
        dict(zip(names, parameters)),
        condition_expression="attribute_not_exists(pk)",
    )
    return []


DynamoDBBackend.execute_statement = execute_statement
