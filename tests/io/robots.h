/* robots.h: robots as text, for the tests of URDF. */
#ifndef LODE_TESTS_IO_ROBOTS_H
#define LODE_TESTS_IO_ROBOTS_H

/* A link of a box that weighs `mass`. */
#define BOX_LINK(name, mass) \
    " <link name=\"" name "\">\n" \
    "  <inertial><mass value=\"" mass "\"/>\n" \
    "   <inertia ixx=\"0.1\" ixy=\"0\" ixz=\"0\" iyy=\"0.1\" iyz=\"0\" izz=\"0.1\"/></inertial>\n" \
    "  <collision><geometry><box size=\"0.1 0.2 0.3\"/></geometry></collision>\n" \
    " </link>\n"

#define JOINT(name, type, parent, child, inside) \
    " <joint name=\"" name "\" type=\"" type "\">\n" \
    "  <parent link=\"" parent "\"/>\n" \
    "  <child link=\"" child "\"/>\n" inside " </joint>\n"

#define LIMIT "  <limit lower=\"-1.5\" upper=\"2\" effort=\"30\" velocity=\"4\"/>\n"

/* Six revolute joints, and one of all that a reader may meet. */
#define ARM \
    "<?xml version=\"1.0\"?>\n" \
    "<!-- an arm -->\n" \
    "<robot name=\"arm\" xmlns:xacro=\"http://ros.org/wiki/xacro\">\n" \
    " <material name=\"grey\"><color rgba=\"0.5 0.5 0.5 1\"/></material>\n" \
    " <link name=\"base\">\n" \
    "  <visual><geometry><box size=\"nan\"/></geometry><material name=\"grey\"/></visual>\n" \
    "  <collision name=\"foot\"><origin xyz=\"0 0 0.05\" rpy=\"0 0 0\"/>\n" \
    "   <geometry><cylinder radius=\"0.1\" length=\"0.1\"/></geometry></collision>\n" \
    " </link>\n" \
    " <link name=\"l1\">\n" \
    "  <inertial><origin xyz=\"0.1 -0.2 0.3\" rpy=\"0.3 -0.4 0.5\"/><mass value=\"4.5\"/>\n" \
    "   <inertia ixx=\"0.1\" ixy=\"0.01\" ixz=\"-0.02\" iyy=\"0.2\" iyz=\"0.03\" izz=\"0.25\"/>\n" \
    "  </inertial>\n" \
    "  <collision><geometry><sphere radius=\"0.07\"/></geometry></collision>\n" \
    "  <collision><geometry><capsule radius=\"0.05\" length=\"0.2\"/></geometry></collision>\n" \
    " </link>\n" BOX_LINK("l2", "3") BOX_LINK("l3", "2") BOX_LINK("l4", "1") \
        BOX_LINK("l5", "0.5") BOX_LINK("l6", "0.25") \
    JOINT("j1", "revolute", "base", "l1", \
          "  <origin xyz=\"0 0 0.1\"/>\n  <axis xyz=\"0 0 1\"/>\n" LIMIT \
          "  <dynamics damping=\"0.7\" friction=\"0.2\"/>\n") \
    JOINT("j2", "revolute", "l1", "l2", \
          "  <origin xyz=\"0 0.1 0.4\" rpy=\"0 1.5707963 0\"/>\n  <axis xyz=\"0 1 0\"/>\n" LIMIT) \
    JOINT("j3", "revolute", "l2", "l3", \
          "  <origin xyz=\"0.4 0 0\" rpy=\"0.1 0.2 0.3\"/>\n  <axis xyz=\"0 -1 0\"/>\n" LIMIT) \
    JOINT("j4", "revolute", "l3", "l4", "  <origin xyz=\"0.3 0 0\"/>\n" LIMIT) \
    JOINT("j5", "revolute", "l4", "l5", \
          "  <origin xyz=\"0.1 0 0\"/>\n  <axis xyz=\"-3 1e-3 2\"/>\n" LIMIT) \
    JOINT("j6", "revolute", "l5", "l6", \
          "  <origin xyz=\"0.1 0 0\"/>\n  <axis xyz=\"-1 0 0\"/>\n" LIMIT \
          "  <mimic joint=\"j5\" multiplier=\"-0.5\" offset=\"0.1\"/>\n" \
          "  <safety_controller k_velocity=\"10\"/>\n") \
    " <transmission name=\"t\"><joint name=\"j1\"/></transmission>\n" \
    " <gazebo reference=\"l1\"><sensor type=\"ray\"/></gazebo>\n" \
    " <sensor name=\"s\"/>\n" \
    " <xacro:macro/>\n" \
    "</robot>\n"

#endif
