import type { TaskOwner } from "../../../src/tasks/task.ts";
import type { ClaimingTeam, IdleMember, Progress } from "../../../src/teams/autonomy/claiming-team.ts";
import type { TaskMessage } from "../../../src/teams/autonomy/task-message.ts";
import { owner } from "../../tasks/setup.ts";

class FakeMember implements IdleMember {
	readonly name: string;
	readonly owner: TaskOwner;
	readonly inbox: TaskMessage[] = [];
	readonly read = new Set<string>();
	isWorking = false;
	isGone = false;
	refusal: Error | undefined;

	constructor(name: string, life: number) {
		this.name = name;
		this.owner = owner(name, { id: `run_${name}_${life}` });
	}
}

/** Members without threads: a test reads their mail and ends their prompts by hand. */
export class FakeTeam implements ClaimingTeam {
	readonly members: FakeMember[] = [];
	/** All messages that were taken, as `researcher: task-t1-v1`. */
	readonly assigned: string[] = [];
	readonly bodies: string[] = [];
	/** What a member does when a message arrives. */
	onAssign: (member: FakeMember, message: TaskMessage) => void = () => {};

	spawn(...names: readonly string[]): void {
		for (const name of names) {
			const lives = this.members.filter((member) => member.name === name).length;
			this.members.push(new FakeMember(name, lives + 1));
		}
	}

	idle(): IdleMember[] {
		return this.members.filter(({ isGone, isWorking, inbox }) => !isGone && !isWorking && inbox.length === 0);
	}

	progressOf(ownerId: string, messageId: string): Progress {
		const member = this.members.find((one) => one.owner.id === ownerId);
		if (!member || member.isGone) return "gone";
		if (!member.read.has(messageId)) return "unread";
		return member.isWorking ? "working" : "idle";
	}

	async assign({ owner: { id } }: IdleMember, message: TaskMessage): Promise<void> {
		const member = this.members.find((one) => one.owner.id === id);
		if (!member || member.isGone) throw new Error("the member is gone");
		if (member.refusal) throw member.refusal;
		member.inbox.push(message);
		this.assigned.push(`${member.name}: ${message.id}`);
		this.bodies.push(message.body);
		this.onAssign(member, message);
	}

	/** The member reads all its mail and works on it. */
	begin(name: string): void {
		const member = this.living(name);
		for (const { id } of member.inbox.splice(0)) member.read.add(id);
		member.isWorking = true;
	}

	rest(name: string): void {
		this.living(name).isWorking = false;
	}

	workAndRest(name: string): void {
		this.begin(name);
		this.rest(name);
	}

	end(name: string): void {
		this.living(name).isGone = true;
	}

	living(name: string): FakeMember {
		const member = this.members.findLast((one) => one.name === name);
		if (!member) throw new Error(`no member ${name}`);
		return member;
	}

	/** Whose id proves the claim. */
	proof(name: string, claimVersion = 1) {
		return { ownerId: this.living(name).owner.id, claimVersion };
	}
}
