// ask_user: puts a question to the person, through main. Where nobody can answer, main says so at once.

import * as z from "zod/mini";
import type { RequestParams } from "../../wire/requests.ts";
import type { Tool } from "../definition.ts";
import { optionalTexts, requiredText } from "../input-fields.ts";

export const ASK_USER_NAME = "ask_user";

export const askUserInputSchema = z.object({
	question: requiredText("question", "One clear question"),
	options: optionalTexts("options", "Answers to choose from; the person may also write another one"),
});
type AskUserInput = z.infer<typeof askUserInputSchema>;

export const askUserTool: Tool<AskUserInput> = {
	name: ASK_USER_NAME,
	description:
		"Asks the person a question and waits for the answer. Use it only for what you cannot find out or decide yourself.",
	inputSchema: askUserInputSchema,
	readOnly: true,
	summarize: ({ question }) => question,
	async execute(input, context) {
		const answer = await context.ask("ask-user", questionRequest(input, context.toolUseId), context.signal);
		if ("answer" in answer) return answer.answer || "(no answer)";
		return { content: `Error: nobody can answer questions here: ${answer.unavailable}`, isError: true };
	},
};

/** What follows from the tool's input. */
export function questionRequest({ question, options }: AskUserInput, toolUseId: string): RequestParams<"ask-user"> {
	return { question, toolUseId, ...(options && options.length > 0 ? { options } : {}) };
}
