"""Running a command within a limit of processor time: see tools/limit."""
import os
import signal
import subprocess

LIMIT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "limit")


def run(command, seconds, **rest):
    """What subprocess.run yields, or None if the time ran out."""
    done = subprocess.run([LIMIT, str(seconds)] + command, check=False, **rest)
    return None if done.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU) else done
