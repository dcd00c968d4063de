"""Starts a study that cannot end and interrupts it once the program listens to that and has computed for a second."""
import os
import signal
import subprocess
import sys

program = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def catches_interrupt():
    with open(f"/proc/{program.pid}/status") as status:
        caught = next(line for line in status if line.startswith("SigCgt:"))
    return int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1


def computed():
    with open(f"/proc/{program.pid}/stat") as stat:
        ticks = stat.read().rpartition(")")[2].split()[11]
    return int(ticks) / os.sysconf("SC_CLK_TCK")


while program.poll() is None and not (catches_interrupt() and computed() >= 1):
    pass
program.send_signal(signal.SIGINT)
out, err = program.communicate()
sys.stdout.write(out.decode())
sys.stderr.write(err.decode())
sys.exit(program.returncode)
