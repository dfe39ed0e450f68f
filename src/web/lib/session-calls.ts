import type { User } from "../../contract/auth.ts";
import { call, callForEffect } from "./http.ts";
import { object, orNull } from "./shape.ts";
import { userShape } from "./wire-shapes.ts";

const sessionShape = object<{ user: User | null }>({ user: orNull(userShape) });

export function postSignIn(email: string, password: string): Promise<User> {
  return call("/api/auth/signin", userShape, { method: "POST", body: { email, password } });
}

export function postSignOut(): Promise<void> {
  return callForEffect("/api/auth/signout", { method: "POST" });
}

export async function fetchSessionUser(): Promise<User | null> {
  return (await call("/api/auth/session", sessionShape)).user;
}
