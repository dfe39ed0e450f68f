/** Problem that the operator can solve. The start ends with only its message, without a stack. */
export class OperatorError extends Error {}
