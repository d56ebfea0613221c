#!/usr/bin/env python3
"""ODE's Python interface, as Debian has it compiled, with our library in the place of libode.

    client_pyode.py FOLDER

Runs the same little world with both and holds the numbers against each other. Skips where
python3-pyode is not installed.
"""
import os
import subprocess
import sys

from client import compare, run, skip

PYTHON = "/usr/bin/python3"  # for which Debian's modules are

WORLD = r"""
import ode
world = ode.World()
world.setGravity((0, -9.81, 0))
space, contacts = ode.Space(1), ode.JointGroup()
floor = ode.GeomPlane(space, (0, 1, 0), 0)

def near(_, a, b):
    for contact in ode.collide(a, b):
        contact.setMu(ode.Infinity)
        ode.ContactJoint(world, contacts, contact).attach(a.getBody(), b.getBody())

def make(mass, geom, at):
    body = ode.Body(world)
    body.setMass(mass)
    body.setPosition(at)
    if geom:
        geom.setBody(body)
    return body

box, ball = ode.Mass(), ode.Mass()
box.setBox(1000, 0.5, 0.5, 0.5)
ball.setSphere(2500, 0.05)
geoms = [ode.GeomBox(space, lengths=(0.5, 0.5, 0.5)) for _ in range(4)]
stack = [make(box, geom, (0, 0.3 + 0.6 * i, 0)) for i, geom in enumerate(geoms)]
bob = make(ball, None, (5, 2, 0))
hinge = ode.HingeJoint(world)
hinge.attach(bob, ode.environment)
hinge.setAnchor((5, 3, 0))
hinge.setAxis((0, 0, 1))
hinge.setFeedback(True)
bob.setLinearVel((1, 0, 0))
for step in range(300):
    space.collide(None, near)
    world.step(0.01)
    contacts.empty()
print("pendulum;1e-4;", *bob.getPosition(), hinge.getAngle(), hinge.getAngleRate())
print("its force;1e-2;", *hinge.getFeedback()[0])
print("stack;2e-2;", *[body.getPosition()[1] for body in stack])
print("mass;1e-12;", box.mass, *box.I[0])
print("bounds;1e-2;", *geoms[0].getAABB())
"""


def main():
    if not os.path.exists(PYTHON) or subprocess.call([PYTHON, "-c", "import ode"],
                                                     stderr=subprocess.DEVNULL):
        skip("python3-pyode is not installed")
    command = [PYTHON, "-c", WORLD]
    compare(run(command), run(command, sys.argv[1]))


if __name__ == "__main__":
    main()
