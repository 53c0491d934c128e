import { describe, expect, it } from "vitest";
import { ServiceContainer } from "./service-container.js";
import { token } from "./token.js";

const SIZE = token("test.size", () => 2);
const DOUBLE = token("test.double", (service) => ({ value: 2 * service(SIZE) }));

describe("a service that the host did not register", () => {
  it("may depend on others of the same runtime, and is created once", () => {
    const container = new ServiceContainer();
    expect(container.get(DOUBLE)).toEqual({ value: 4 });
    expect(container.get(DOUBLE)).toBe(container.get(DOUBLE));
  });

  it("contains the services that the host registered", () => {
    expect(new ServiceContainer([[SIZE, 5]]).get(DOUBLE)).toEqual({ value: 10 });
  });
});
