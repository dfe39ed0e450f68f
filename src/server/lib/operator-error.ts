/** A problem that the operator can solve: the start ends with its message alone, without a stack. */
export class OperatorError extends Error {}
