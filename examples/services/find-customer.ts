import { defineTool, token } from "@haft/core";
import { z } from "zod";

export interface Customers {
  find(name: string): Promise<readonly { id: number; name: string }[]>;
}
export const CUSTOMERS = token<Customers>("acme.customers");

export const FindCustomer = defineTool({
  name: "find_customer",
  summary: "Find customers by name.",
  input: z.object({ name: z.string().min(2), limit: z.number().int().max(50).default(10) }),
  inject: [CUSTOMERS],
  async run({ name, limit }, _context, customers) {
    const found = await customers.find(name);
    return { total: found.length, customers: found.slice(0, limit) };
  },
});
