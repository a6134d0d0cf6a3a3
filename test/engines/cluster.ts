import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programAt } from '../support/programs.ts';

const sparkClass = programAt('spark-class');

export const hasSpark = sparkClass !== undefined;

/** A Spark cluster on this machine: a master and workers, each a process. */
export interface Cluster {
  /** As `--master` has it. */
  readonly master: string;
  /** With which Spark finds itself, and its settings. */
  readonly env: Readonly<Record<string, string>>;
  /** Where each worker keeps what it ran. */
  readonly workers: readonly string[];
  stop(): Promise<void>;
}

/** Few rows: what takes longest is to make code fast that runs once. */
const settings = `
spark.driver.extraJavaOptions   -XX:TieredStopAtLevel=1
spark.executor.extraJavaOptions -XX:TieredStopAtLevel=1
spark.executor.memory           512m
spark.sql.shuffle.partitions    4
spark.ui.enabled                false
`;

/** Starts a cluster with two workers, of one core each, on the loopback interface. */
export async function startCluster(place: string): Promise<Cluster> {
  const configuration = join(place, 'conf');
  await mkdir(configuration, { recursive: true });
  await writeFile(join(configuration, 'spark-defaults.conf'), settings);
  const { PATH = '', HOME = '', SPARK_HOME, JAVA_HOME } = process.env;
  const env = {
    ...{ PATH, HOME, SPARK_CONF_DIR: configuration, SPARK_LOCAL_IP: '127.0.0.1' },
    ...{ SPARK_LOCAL_DIRS: place, SPARK_DAEMON_MEMORY: '256m' },
    ...(SPARK_HOME !== undefined && { SPARK_HOME }),
    ...(JAVA_HOME !== undefined && { JAVA_HOME }),
  };
  const running: ChildProcess[] = [];
  const stop = async () => {
    const living = running.filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null);
    await Promise.all(
      living.map((child) => {
        child.kill();
        return once(child, 'close');
      }),
    );
  };
  const begin = (name: string, wanted: RegExp, ...args: readonly string[]) => {
    const common = ['--host', '127.0.0.1', '--port', '0', '--webui-port', '0'];
    const all = [`org.apache.spark.deploy.${name}`, ...common, ...args];
    const child = spawn(sparkClass ?? '', all, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    running.push(child);
    return said(child, wanted);
  };
  try {
    const master = await begin('master.Master', /spark:\/\/[\d.:]+/);
    const workers = ['one', 'two'].map((name) => join(place, name));
    const each = ['--cores', '1', '--memory', '512m'];
    await Promise.all(
      workers.map((folder) =>
        begin('worker.Worker', /registered with master/, ...each, '--work-dir', folder, master),
      ),
    );
    return { master, env, workers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What a process says on standard error that looks like `wanted`. Its later words are thrown away. */
async function said(child: ChildProcess, wanted: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (more: string) => {
      if (wanted.test(text)) return;
      text += more;
      const [found] = wanted.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('error', reject);
    child.on('close', () => reject(new Error(text)));
  });
}
