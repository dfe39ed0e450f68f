import { expect, test } from "vitest";
import { problemInAdsTxt, problemInSellersJson } from "./seller-files.ts";

test.each([
  "",
  "# only a comment",
  "network.example, pub-123, DIRECT, f08c47fec0942fa0 # ours\r\n\r\nother.example,9,reseller",
  "OWNERDOMAIN=videos.example\ncontact = ads@videos.example",
  "placeholder.example.com, placeholder, DIRECT, placeholder",
  "network.example, 1, DIRECT,\nnetwork.example, 2, RESELLER, f08c47fec0942fa0, # trailing commas",
])("accepts %j as ads.txt", (text) => {
  expect(problemInAdsTxt(text)).toBeNull();
});

test.each([
  ["network.example, 1, DIRECT\nnetwork.example 1 DIRECT", "Line 2:"],
  ["network.example, 1, OWNER", "Line 1:"],
  ["network.example, 1, DIRECT, id, more", "Line 1:"],
  ["<html>", "Line 1:"],
  [`x${" ".repeat(50_000)}`.repeat(2), "Line 1:"],
])("refuses %j with its line", (text, line) => {
  expect(problemInAdsTxt(text)).toContain(line);
});

test.each([
  ["{", "This isn't valid JSON"],
  ["[]", '"sellers"'],
  ['{"sellers": [{"seller_id": "1", "seller_type": "PUBLISHER"}, {"seller_id": "2"}]}', "Seller 2"],
  ['{"version": "1.0", "sellers": [{"seller_id": "1", "seller_type": "both"}]}', null],
])("checks %j as sellers.json: %s", (text, problem) => {
  if (problem === null) expect(problemInSellersJson(text)).toBeNull();
  else expect(problemInSellersJson(text)).toContain(problem);
});
