"""Writes spring_exact.json: a damped spring with a straight-moving target, in 80 digits (mpmath 1.3).

x'' = -k (x - target) - c x'. Inputs are the exact values of the 64-bit numbers; results are rounded once.
Method: y = x - target(t) + (c/k) slope obeys y'' = -k y - c y'; y from the two roots of r^2 + c r + k.
"""
import json, math
from mpmath import mp, mpf, mpc, sqrt, exp

mp.dps = 80

def solve(k, c, dt, x, v, g0, g1):
    k, c, dt, x, v, g0, g1 = map(mpf, (k, c, dt, x, v, g0, g1))
    slope = (g1 - g0) / dt
    y, w = x - g0 + c / k * slope, v - slope
    d = sqrt(mpc(c * c / 4 - k))
    if d == 0:
        a = c / 2
        fade = exp(-a * dt)
        y1 = fade * (y + (w + a * y) * dt)
        w1 = fade * (w - a * (w + a * y) * dt)
    else:
        p, q = -c / 2 + d, -c / 2 - d
        A = (w - q * y) / (p - q)
        B = y - A
        y1 = (A * exp(p * dt) + B * exp(q * dt)).real
        w1 = (A * p * exp(p * dt) + B * q * exp(q * dt)).real
    return float(g1 - c / k * slope + y1), float(w1 + slope)

springs = [(260, 26), (256, 32), (256, 32 * (1 + 1e-9)), (256, 32 * (1 - 1e-9)), (256, 32 * (1 + 1e-4)), (256, 32 * (1 - 1e-4)),
           (256, 0), (260, 1e-3), (4e4, 3), (1e-3, 5), (1, 2000), (1e-12, 1), (1e8, 2.5e4), (0.3, 0.9), (39.47841760435743, 50)]
steps = [1e-9, 1e-6, 1e-3, 1 / 60, 0.03125, 0.05, 0.3, 1, 7.5, 100, 1000]
states = [(0, 0, 20, 20), (3, -7, 3, 3), (1, 50, -4, 9), (0, 0, 0, 1)]
rows = [[k, c, dt, *s, *solve(k, c, dt, *s)] for k, c in springs for dt in steps for s in states]
with open(__file__.replace(".py", ".json"), "w") as out:
    out.write('{\n "source": "spring_exact.py: 80 digits, rounded once",\n')
    out.write(' "columns": ["k","c","dt","x","v","target0","target1","x_after","v_after"],\n "rows": [\n')
    out.write(",\n".join("  " + json.dumps(r) for r in rows))
    out.write("\n ]\n}\n")
