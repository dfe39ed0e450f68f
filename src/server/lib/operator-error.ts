/**
 * Problem that the operator can solve. If it ends the start, only its message is printed, without a
 * stack.
 */
export class OperatorError extends Error {}
