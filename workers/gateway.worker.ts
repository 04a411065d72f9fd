// Entry of the model gateway's thread.
import { createGatewayApi } from "../src/runtime/thread/gateway.ts";
import { exposeToParent } from "../src/thread/own-thread.ts";

exposeToParent(createGatewayApi());
