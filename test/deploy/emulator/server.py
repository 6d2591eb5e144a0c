"""Runs moto's server with additions for the stack of this repository (moto 5.2).

Takes the arguments of moto_server. MOTO_PORT repeats the port; FUNCTION_HOST is the
address of the host that runs the functions.
"""

import io
import json
import logging
import os
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from moto.awslambda.models import LambdaFunction
from moto.server import main

# These modules change moto when they are imported.
import custom_resources  # noqa: F401
import gateway  # noqa: F401
import global_table  # noqa: F401


def run_on_host(function: LambdaFunction, event: Any = None) -> tuple[str, bool, str]:
    """Runs the deployed code on the host, because moto itself needs Docker and its images."""
    directory = Path(tempfile.gettempdir(), function.code_digest)
    if not directory.exists():
        zipfile.ZipFile(io.BytesIO(function.code_bytes)).extractall(directory)
    invocation = {
        "name": function.function_name,
        "codeFolder": str(directory),
        "handler": function.handler,
        "environment": function.environment_vars,
        "event": event,
    }
    request = Request(os.environ["FUNCTION_HOST"], json.dumps(invocation).encode())
    with urlopen(request, timeout=function.timeout) as response:
        report = json.load(response)
    failed = not report["path"].endswith("/response")
    return json.dumps(report["body"]), failed, ""


LambdaFunction._invoke_lambda = run_on_host

if __name__ == "__main__":
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    sys.exit(main())
