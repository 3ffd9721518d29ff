
Expr Simplify::visit(const Div *op, ExprInfo *info) {
    if (no_overflow(op->type) &&
        (rewrite((x*c0 + y)/c1, x*fold(c0/c1) + y/c1, c0 % c1 == 0 && c1 > 0) ||
         rewrite((x + c0)/c1, x/c1 + fold(c0/c1), c1 > 0) ||
         rewrite(ramp(x, y, c0)/c1, ramp(x/c1, y/c1, c0)))) {
        return mutate(rewrite.result, info);
    }
}
