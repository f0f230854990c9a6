import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';

/** The operator's own program, outside the cluster, which gives way to another one when it is killed. */
export class OperatorProcess {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #namespace: string;
  readonly #flags: readonly string[];
  readonly #log: number;
  #child: ChildProcess;

  /** `log`: path of a file that all of them write to. */
  constructor({
    kubeconfig,
    namespace,
    log,
    flags = ['--leader-election.enabled=false', '--status-page.enabled=false'],
  }: {
    readonly kubeconfig: string;
    readonly namespace: string;
    readonly log: string;
    readonly flags?: readonly string[];
  }) {
    this.#environment = { ...(process.env as Record<string, string>), KUBECONFIG: kubeconfig };
    this.#namespace = namespace;
    this.#flags = flags;
    this.#log = openSync(log, 'a');
    this.#child = this.#start();
  }

  /** By SIGKILL, at once; another one begins. */
  kill(): void {
    this.#child.kill('SIGKILL');
    this.#child = this.#start();
  }

  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    const ended = exitCode === null && signalCode === null && once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
    closeSync(this.#log);
  }

  #start(): ChildProcess {
    const flags = [
      ...(this.#namespace === '' ? [] : [`--kubernetes.namespaces=${this.#namespace}`]),
      '--admin.port=0',
      '--controller.poll-interval=1s',
      ...this.#flags,
    ];
    return spawn(process.execPath, ['operator/bin/chain-operator.js', ...flags], {
      env: this.#environment,
      stdio: ['ignore', this.#log, this.#log],
    });
  }
}
