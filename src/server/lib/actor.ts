/** Actor and request of an admin call, as recorded in the audit log. */
export interface Actor {
  /**
   * The id is null if no user acts directly, for example in a schedule whose author was deleted.
   */
  user: { id: string | null; email: string };
  requestId: string;
}
