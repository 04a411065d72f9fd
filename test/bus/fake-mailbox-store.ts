import type { MailboxStore, SettledMail, StoredMailbox } from "../../src/store/mailboxes.ts";
import type { Envelope } from "../../src/wire/envelope.ts";

type Record = { readonly envelope: Envelope } | { readonly settled: SettledMail };

export interface FakeMailboxStore extends MailboxStore {
	/** Writes that are not durable yet. */
	pending(): number;
	/** Makes the oldest writes durable, all by default. */
	flush(count?: number): Promise<void>;
	/** The next append fails when its turn comes. */
	failNextAppend(error: Error): void;
	/** What another process would find: the writes that are not durable are lost. */
	afterCrash(): FakeMailboxStore;
}

/** Mailboxes in memory. With `holds`, nothing is durable before `flush`, as with a slow disk. */
export function createFakeMailboxStore(
	holds = false,
	records = new Map<string, Map<number, Record>>(),
): FakeMailboxStore {
	const queue: (() => void)[] = [];
	let failure: Error | undefined;

	const mailbox = (address: string) => {
		const found = records.get(address) ?? new Map<number, Record>();
		records.set(address, found);
		return found;
	};
	const write = (apply: () => void): Promise<void> =>
		new Promise((resolve, reject) => {
			const run = () => {
				try {
					apply();
					resolve();
				} catch (thrown) {
					reject(thrown);
				}
			};
			if (holds) queue.push(run);
			else run();
		});
	const inOrder = (address: string) => [...mailbox(address)].sort(([a], [b]) => a - b).map(([, record]) => record);

	return {
		load(address): StoredMailbox {
			return {
				waiting: inOrder(address).flatMap((record) => ("envelope" in record ? record.envelope : [])),
				settled: inOrder(address).flatMap((record) => ("settled" in record ? record.settled : [])),
			};
		},
		addresses: () => [...records.keys()],
		append: (envelope) => {
			const error = failure;
			failure = undefined;
			return write(() => {
				if (error) throw error;
				mailbox(envelope.to).set(envelope.seq, { envelope });
			});
		},
		settle: (address, mail, forget) =>
			write(() => {
				for (const settled of mail) mailbox(address).set(settled.seq, { settled });
				for (const seq of forget) mailbox(address).delete(seq);
			}),
		clear: (address) => write(() => void records.delete(address)),
		pending: () => queue.length,
		async flush(count = Number.POSITIVE_INFINITY) {
			for (let done = 0; done < count && queue.length > 0; done++) {
				queue.shift()?.();
				await settled();
			}
		},
		failNextAppend(error) {
			failure = error;
		},
		afterCrash: () =>
			createFakeMailboxStore(holds, new Map([...records].map(([address, kept]) => [address, new Map(kept)]))),
	};
}

/** Lets everything that a promise sets off happen. */
export function settled(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
