import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { messageOf } from './retry.ts'
import { type AgentSettings, checkSettings, SettingsError } from './settings.ts'

const usage = `Longreach gateway agent

  npm run edge -- --activation-key KEY --endpoint URL [options]
  npm run edge -- --config edge.yaml [options]

  --activation-key KEY  from the portal: Devices, Add device (or EDGE_ACTIVATION_KEY)
  --endpoint URL        the portal's address, such as http://localhost:8080
  --plain-http          pair over http:// with a portal on another machine, in a network that you trust
  --config FILE         YAML with sources and everything else; see apps/edge/edge.example.yaml
  --simulate            read a simulated oven line instead of a machine: to try things out
  --data-dir DIR        where values wait while the platform is away (./edge-data)
  --ca FILE             PEM of the authority to trust, instead of the one fetched at the first pairing
  --log-level LEVEL     trace, debug, info, warn, error, fatal, silent (info)
`

const text = { type: 'string' } as const
const options = {
  'activation-key': text,
  endpoint: text,
  config: text,
  'data-dir': text,
  ca: text,
  'log-level': text,
  simulate: { type: 'boolean' },
  'plain-http': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Command line before environment before file. */
function mergeSettings(
  values: Partial<
    Record<'activation-key' | 'endpoint' | 'config' | 'data-dir' | 'ca' | 'log-level', string>
  > & { simulate?: boolean; 'plain-http'?: boolean },
) {
  const file = values.config === undefined ? {} : fileSettings(values.config)
  const given = {
    activationKey: values['activation-key'] ?? process.env['EDGE_ACTIVATION_KEY'],
    endpoint: values.endpoint,
    dataDir: values['data-dir'],
    ca: values.ca,
    logLevel: values['log-level'],
    simulate: values.simulate,
    plainHttp: values['plain-http'],
  }
  const known = Object.entries(given).filter(([, value]) => value !== undefined)
  return checkSettings({ ...file, ...Object.fromEntries(known) })
}

function fileSettings(file: string): object {
  try {
    const content: unknown = parse(readFileSync(file, 'utf8'))
    if (typeof content === 'object' && content !== null) return content
    throw new Error('it holds no settings')
  } catch (error) {
    throw new SettingsError([`--config ${file}: ${messageOf(error)}`])
  }
}

/**
 * Settings from the command line, the environment and the file, in this priority; undefined after
 * `--help`.
 */
export function commandLine(): AgentSettings | undefined {
  const { values } = parseArgs({ options })
  if (!values.help) return mergeSettings(values)
  process.stdout.write(usage)
  return undefined
}

/** Prints the faults of the settings and ends the program with code 2. */
export function failSettings(error: unknown) {
  const message = error instanceof SettingsError ? error.message : messageOf(error)
  process.stderr.write(`${message}\n\nnpm run edge -- --help tells every option.\n`)
  process.exitCode = 2
}
