// The walk-through of index 17, text for text: real threads, a scripted model, a clock that stands still but for ticks.

import { describe, expect, it, onTestFinished } from "vitest";
import { runTyped } from "../../src/cli/expand-typed.ts";
import { notificationsIn } from "../../src/cli/notices.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { openSupervisor, until } from "../support/supervisor.ts";

const script = new URL("../fixtures/model/team-script.mjs", import.meta.url);

describe("nobody at the keyboard", () => {
	it("has three chained tasks done by two teammates, in order, and tells of it at the next prompt", async () => {
		const { supervisor, close } = await openSupervisor(
			{},
			{
				model: { provider: "scripted", module: script.href },
				clock: createFakeClock(),
			},
		);
		onTestFinished(close);
		const lead = await supervisor.startLead();
		const screen: string[] = [];
		lead.on((event) => {
			if (event.type === "history")
				screen.push(...event.messagesJson.flatMap(notificationsIn).map((text) => `🔔 ${text}`));
		});
		supervisor.team.on("spawned", ({ name }) => screen.push(`🤖 spawn teammate '${name}' ...`));
		const type = (line: string) => runTyped(line, { supervisor, lead }, () => {});

		supervisor.auto.enabled = false;
		expect(await type("/task add t1 调研符号表缓存")).toBe("Task created: t1");
		expect(await type("/task add t2 实现哈希索引 --after t1")).toBe("Task created: t2");
		expect(await type("/task add t3 跑基准测试 --after t2")).toBe("Task created: t3");
		await lead.prompt("派生一个研究员和一个审查员");
		await lead.settled();
		expect(screen.splice(0).sort()).toEqual([
			"🔔 researcher is idle",
			"🔔 reviewer is idle",
			"🤖 spawn teammate 'researcher' ...",
			"🤖 spawn teammate 'reviewer' ...",
		]);
		expect(await type("/team")).toBe("Team members (2):\n  researcher  [IDLE]\n  reviewer    [IDLE]");
		expect(await type("/task list")).toBe(
			[
				"Tasks (3):",
				"  t1  [PENDING]   调研符号表缓存",
				"  t2  [PENDING]   实现哈希索引  BLOCKED by t1",
				"  t3  [PENDING]   跑基准测试  BLOCKED by t2",
			].join("\n"),
		);

		expect(await type("/auto on")).toBe("Autonomous agents: ON");
		await until(() => supervisor.auto.completed === 3);
		await lead.settled();
		expect(screen).toEqual([]);
		expect(await lead.prompt("今天进展如何？")).toMatchObject({
			finalText: "三号任务全部完成。依赖链 t1→t2→t3 已按顺序自动执行。",
		});
		expect(screen).toEqual([
			"🔔 auto - task t1 claimed by researcher",
			"🔔 auto - task t1 completed by researcher",
			"🔔 auto - task t2 claimed by reviewer",
			"🔔 auto - task t2 completed by reviewer",
			"🔔 auto - task t3 claimed by researcher",
			"🔔 auto - task t3 completed by researcher",
		]);
		expect(await type("/task list")).toBe(
			[
				"Tasks (3):",
				"  t1  [COMPLETED] 调研符号表缓存",
				"  t2  [COMPLETED] 实现哈希索引",
				"  t3  [COMPLETED] 跑基准测试",
			].join("\n"),
		);
		expect(await type("/auto")).toBe("Autonomous agents: ON (tick every 10s)\n  claimed: 3  completed: 3");
		expect(await type("/auto off")).toBe("Autonomous agents: OFF");
		expect(supervisor.tasks.list().map(({ result }) => result)).toEqual([
			"t1 by researcher",
			"t2 by reviewer",
			"t3 by researcher",
		]);
	});
});
