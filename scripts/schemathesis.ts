import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { withDocuments } from '../apps/server/src/services.ts'
import { personOf, tokensByHttp } from '../e2e/src/calls.ts'
import { demoFile, startLongreach } from '../e2e/src/longreach.ts'
import { leftOut } from './schemathesis-left-out.ts'
import type { Person } from '../e2e/src/asking.ts'
import { makeWorld, viewer } from './schemathesis-world.ts'

// Schemathesis reads the OpenAPI documents of a running demo and asks what they allow and what they do
// not: as the owner of an organization, as somebody who may only look, and as nobody. Needs Python 3.9.
//   npm run schemathesis [-- --examples 10] [--document core/api/v1] [--as owner] [--only core_roles] [--seed 1]
const { values: asked } = parseArgs({
  options: {
    examples: { type: 'string', default: '8' },
    document: {
      type: 'string',
      multiple: true,
      default: withDocuments,
    },
    as: { type: 'string', multiple: true, default: ['owner', 'viewer', 'nobody'] },
    only: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string' },
    out: { type: 'string' },
  },
})
const version = '4.32.5'
const root = fileURLToPath(new URL('../', import.meta.url))
const program = path.join(root, `node_modules/.cache/schemathesis-${version}`)
const command = path.join(program, 'bin/schemathesis')
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'ignored_auth',
]

/** Too much is refused as too large, wherever the limit of a field is reached later. */
const settings = `[checks]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 409, 413, 414, 415, 422, 429, 431]
`

const say = (text: string) => process.stdout.write(`${text}\n`)

function install() {
  if (existsSync(command)) return
  say(`Installing Schemathesis ${version} into ${path.relative(root, program)} …`)
  for (const [name, args] of [
    ['python3', ['-m', 'venv', program]],
    [path.join(program, 'bin/pip'), ['install', '--quiet', `schemathesis==${version}`]],
  ] as const) {
    const { status } = spawnSync(name, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    if (status !== 0) {
      say(`${name} ${args.join(' ')} did not succeed. Python 3.9 or newer with venv is needed.`)
      process.exit(2)
    }
  }
}

async function main() {
  install()
  const folder = asked.out ?? (await mkdtemp(path.join(os.tmpdir(), 'longreach-schemathesis-')))
  const longreach = await startLongreach({ program: 'demo' })
  try {
    const demo = await demoFile(longreach)
    const values = await makeWorld(demo)
    const people: Record<string, Person | undefined> = { owner: personOf(demo, 'anna'), viewer }
    await writeFile(path.join(folder, 'values.json'), JSON.stringify(values))
    await writeFile(path.join(folder, 'schemathesis.toml'), settings)
    const results = await inTurn(asked.as, async (who) => {
      const tokenFile = path.join(folder, `${who}.token`)
      const renewal = await keepToken(demo.url, people[who], tokenFile)
      const codes = await inTurn(await runsOf(demo.url, who), async (one) => {
        const output = path.join(folder, `${one.name.replaceAll(/[ /]/g, '-')}.txt`)
        const code = await ask({ ...one, folder, tokenFile, url: demo.url, output })
        say(`${code === 0 ? 'ok    ' : 'FAILED'} ${one.name}: ${output}`)
        return code
      })
      clearInterval(renewal)
      return codes
    })
    process.exitCode = results.flat().every((code) => code === 0) ? 0 : 1
  } finally {
    await longreach.stop()
  }
}

async function inTurn<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (const one of list) done.push(await work(one))
  return done
}

/** Calls in an order in which deleted things are not needed afterwards. */
async function runsOf(url: string, who: string) {
  const runs = await inTurn(asked.document, async (document) => {
    const answer = await fetch(documentAt(url, document))
    const { paths } = (await answer.json()) as { paths: Record<string, object> }
    const deletes = Object.values(paths).some((methods) => 'delete' in methods)
    const name = `${document} as ${who}`
    return [
      { document, name, deleting: false },
      ...(deletes ? [{ document, name: `${name} deleting`, deleting: true }] : []),
    ]
  })
  return runs.flat()
}

const documentAt = (url: string, document: string) => `${url}/svc/${document}/openapi.json`

type Run = {
  document: string
  folder: string
  tokenFile: string
  url: string
  deleting: boolean
  output: string
}

/** One run of Schemathesis over one document; answers its exit code. */
async function ask({ document, folder, tokenFile, url, deleting, output }: Run) {
  const chosen =
    asked.only.length > 0
      ? asked.only.flatMap((one) => ['--include-operation-id', one])
      : leftOut.flatMap(({ operation }) => ['--exclude-operation-id', operation])
  const options: Record<string, string> = {
    '--phases': 'coverage,fuzzing',
    '--max-examples': asked.examples,
    '--checks': checks.join(','),
    '--generation-database': 'none',
    '--request-timeout': '60',
    [deleting ? '--include-method' : '--exclude-method']: 'DELETE',
    ...(asked.seed !== undefined && { '--seed': asked.seed }),
  }
  const args = [
    '--config-file',
    path.join(folder, 'schemathesis.toml'),
    'run',
    documentAt(url, document),
    '--continue-on-failure',
    '--no-color',
    ...Object.entries(options).flat(),
    ...chosen,
  ]
  const child = spawn(command, args, {
    cwd: folder,
    env: {
      ...process.env,
      TOKEN_FILE: tokenFile,
      VALUES_FILE: path.join(folder, 'values.json'),
      SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
      PYTHONPATH: path.join(root, 'scripts'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => printed.push(data))
  }
  const code = await new Promise<number | null>((done) => child.once('close', done))
  await writeFile(output, Buffer.concat(printed))
  return code
}

/** Token in a file, renewed during the run; an empty file for a caller without sign-in. */
async function keepToken(url: string, person: Person | undefined, file: string) {
  const write = async () => {
    const token = person ? (await tokensByHttp(url, person)).access_token : ''
    await writeFile(`${file}.new`, token, { mode: 0o600 })
    await rename(`${file}.new`, file)
  }
  await write()
  return setInterval(() => void write(), 150_000)
}

await main()
