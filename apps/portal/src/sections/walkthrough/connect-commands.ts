import { agentCommand, endpointLines } from '../../parts/devices/agent-command.ts'
import type { Kind } from './walkthrough-url.ts'

/** Operating system on which the command is typed. */
export type System = 'unix' | 'windows'
type Asked = { kind: Kind; system: System; key: string; origin: string; pairing: string }

/** Command, with the activation key in it, to run on the computer beside the device. */
export function commandFor({ kind, system, key, origin, pairing }: Asked) {
  if (kind === 'own') return environment(system, { ACTIVATION_KEY: key, PAIRING_ENDPOINT: pairing })
  const command = agentCommand(key, origin)
  return kind === 'simulator' ? `${command} --simulate` : command
}

/** The same with the sources in a file that lasts, for a service. */
export function serviceFor({ system, key, origin }: Pick<Asked, 'system' | 'key' | 'origin'>) {
  const run = 'npm run edge -- --config edge.yaml'
  return [
    `# edge.yaml\n${endpointLines(origin)}`,
    environment(system, { EDGE_ACTIVATION_KEY: key }),
    run,
  ].join('\n\n')
}

const environment = (system: System, values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) =>
      system === 'windows' ? `$env:${name} = '${value}'` : `export ${name}='${value}'`,
    )
    .join('\n')
