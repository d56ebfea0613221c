#!/usr/bin/env python3
"""ODE's Python interface, as Debian has it compiled, with our library in the place of libode.

    client_pyode.py FOLDER

Runs the same little world with both and holds the numbers against each other. Skips where
python3-pyode is not installed.
"""
import os
import subprocess
import sys

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


def run(folder):
    done = subprocess.run([PYTHON, "-c", WORLD], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=dict(os.environ, LD_LIBRARY_PATH=folder), universal_newlines=True,
                          check=False)
    if "No module named" in done.stderr:
        print("1..0 # SKIP python3-pyode is not installed")
        sys.exit(0)
    if done.returncode:
        sys.exit(f"Bail out! {done.stderr}")
    lines = [line.split(";") for line in done.stdout.splitlines()]
    return {name: (float(bound), [float(x) for x in numbers.split()])
            for name, bound, numbers in lines}


def main():
    if not os.path.exists(PYTHON):
        print(f"1..0 # SKIP there is no {PYTHON}")
        return 0
    theirs, ours = run(""), run(sys.argv[1])
    if theirs == ours:  # to the last digit: it is the same library
        sys.exit("Bail out! The library in the folder was not taken")
    failed = 0
    print(f"1..{len(theirs)}")
    for index, (name, (bound, numbers)) in enumerate(theirs.items(), 1):
        off = max(abs(a - b) / max(1, abs(a)) for a, b in zip(numbers, ours[name][1]))
        failed += not off <= bound
        print(f"{'ok' if off <= bound else 'not ok'} {index} - {name}: off by {off:.2g} of {bound:g}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
