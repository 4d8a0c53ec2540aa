"""Orders to the cluster of `with-cluster-of-three`, of which this process is a part:

    three.py leader|whole|switch|promotions
    three.py kill|freeze|thaw|stop|start|cut|mend NODE

Nodes have the numbers 1 to 3. `kill` is SIGKILL to the node's processes, `freeze` SIGSTOP; `stop` ends a node in order;
`cut` forwards nothing any more between the node and its standbys, nor to it from them."""
import json
import os
import socket
import sys


def order(name, *arguments):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.environ["STOREKEEPER_POSTGRES_THREE_ORDERS"])
        with connection.makefile("rw") as file:
            file.write(json.dumps([name, *arguments]) + "\n")
            file.flush()
            reply = json.loads(file.readline())
    if "failure" in reply:
        raise Exception(reply["failure"])
    return reply["told"]


if __name__ == "__main__":
    print(order(sys.argv[1], *(int(number) for number in sys.argv[2:])))
