"""Runs moto's server with additions for the stack of this repository (moto 5.2).

Takes the arguments of moto_server. MOTO_PORT repeats the port; NODE is the program that runs the functions.
"""

import io
import json
import logging
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from moto.awslambda.models import LambdaFunction
from moto.server import main

# These modules change moto when they are imported.
import custom_resources  # noqa: F401
import gateway  # noqa: F401
import global_table  # noqa: F401
import partiql_insert  # noqa: F401


def run_with_node(function: LambdaFunction, event: Any = None) -> tuple[str, bool, str]:
    """Runs the deployed code with Node, because moto itself needs Docker and its images."""
    directory = Path(tempfile.gettempdir(), function.code_digest)
    if not directory.exists():
        zipfile.ZipFile(io.BytesIO(function.code_bytes)).extractall(directory)
    script = Path(__file__).with_name("invoke.js")
    run = subprocess.run(
        [os.environ["NODE"], script, directory, function.handler],
        input=json.dumps(event),
        env={
            **os.environ,
            **function.environment_vars,
            "AWS_LAMBDA_FUNCTION_NAME": function.function_name,
        },
        capture_output=True,
        text=True,
        timeout=function.timeout,
    )
    print(f"invoked {function.function_name}\n{run.stderr}", file=sys.stderr, flush=True)
    return run.stdout, run.returncode != 0, ""


LambdaFunction._invoke_lambda = run_with_node

if __name__ == "__main__":
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    sys.exit(main())
