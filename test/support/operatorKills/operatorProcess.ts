import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';

/** The operator's own program, outside the cluster, which gives way to another one when it is killed. */
export class OperatorProcess {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #namespace: string;
  readonly #log: number;
  #child: ChildProcess;

  /** `log`: path of a file that all of them write to. */
  constructor({
    kubeconfig,
    namespace,
    log,
  }: {
    readonly kubeconfig: string;
    readonly namespace: string;
    readonly log: string;
  }) {
    this.#environment = { ...(process.env as Record<string, string>), KUBECONFIG: kubeconfig };
    this.#namespace = namespace;
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
      ...[`--kubernetes.namespaces=${this.#namespace}`, '--leader-election.enabled=false'],
      ...['--admin.port=0', '--status-page.enabled=false', '--controller.poll-interval=1s'],
    ];
    return spawn(process.execPath, ['operator/bin/chain-operator.js', ...flags], {
      env: this.#environment,
      stdio: ['ignore', this.#log, this.#log],
    });
  }
}
