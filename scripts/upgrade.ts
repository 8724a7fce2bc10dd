import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { freePort } from '../apps/edge/src/free-port-for-tests.ts'
import { withDocuments } from '../apps/server/src/services.ts'
import { enter } from '../e2e/src/asking.ts'
import { personOf } from '../e2e/src/calls.ts'
import { everyQuestion, type Question } from '../e2e/src/every-question.ts'
import { checkOut, type Command, startCommand } from './old-version.ts'
import {
  agentCommand,
  agentComesBack,
  firstValueOf,
  makeGateway,
  versionOf,
} from './upgrade-agent.ts'
import { makeWorld } from './schemathesis-world.ts'
import {
  type Answer,
  type Answers,
  answersOf,
  changing,
  differences,
  isMeant,
  keyOf,
  valuesOf,
} from './upgrade-answers.ts'
import {
  expectThat,
  faults,
  plant,
  readDemo,
  say,
  signInOperator,
  until,
  type World,
} from './upgrade-world.ts'

// Upgrades the data folder of an earlier version and compares all that can be read before and after, by
// every person of the demo. A job is under way when the earlier server is killed; a gateway agent of the
// earlier version comes back and is updated; the audit trail is verified.
//   npm run upgrade-check -- --from <revision> [--keep]
const { values: asked } = parseArgs({
  options: { from: { type: 'string' }, keep: { type: 'boolean', default: false } },
})
const root = fileURLToPath(new URL('../', import.meta.url))

async function main(from: string) {
  const old = await checkOut(from)
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-upgrade-'))
  await chmod(dataDir, 0o711) // as root, the database's own user passes through
  const port = String(await freePort())
  const env = { DATA_DIR: dataDir, PORT: port, MQTT_PORT: String(await freePort()) }
  const world = { env, dataDir, url: `http://localhost:${port}` }
  const running: Command[] = []
  try {
    await upgrade(old.folder, world, running)
  } finally {
    for (const one of running.toReversed()) await one.stop()
    if (asked.keep) say(`Kept: ${old.folder}, ${dataDir}`)
    else {
      await rm(dataDir, { recursive: true, force: true })
      await old.remove()
    }
  }
  say(faults.length === 0 ? 'Everything was found again.' : `${faults.length} faults.`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

async function upgrade(old: string, world: World, running: Command[]) {
  const began = startCommand(old, ['demo'], { ...world.env, DEMO_FLEET: 'off' })
  running.push(began)
  await began.printed(/ready at/)
  await pastWritten(world.dataDir)
  const demo = await readDemo(world)
  const ids = await makeWorld(demo)
  const gateway = await makeGateway(world)
  const agent = startCommand(old, agentCommand(world, gateway))
  running.push(agent)
  const installed = await versionOf(world, gateway)
  await firstValueOf(world, gateway)
  say(`An agent of version ${installed} is connected and sends values.`)
  await agent.stop()
  await began.stop()

  const first = await startServer(old, world, running)
  const questions = await questionsOf(world)
  const until = new Date().toISOString()
  const ask = () => askAll(world, questions, { ...ids.path, ...ids.query }, until)
  const answers = [await ask()]
  await first.stop()
  const second = await startServer(old, world, running)
  answers.push(await ask())
  const job = await startExport(world)
  await second.kill()
  say(`The server was killed while job ${job} was under way.`)

  const upgraded = await startServer(root, world, running)
  await exportEnds(world, job)
  answers.push(await ask())
  compare(answers)
  await agentComesBack(old, world, gateway, { installed, running })
  await upgraded.stop()
  const trail = startCommand(root, ['verify-audit'], world.env)
  const code = await trail.ended
  expectThat(code === 0, trail.output().trim())
}

/** Starts the product of a checkout on the data folder, without the demo's machines. */
async function startServer(folder: string, { env }: World, running: Command[]) {
  const server = startCommand(folder, ['start'], env)
  running.push(server)
  await server.printed(/ready at/)
  return server
}

async function pastWritten(dataDir: string) {
  const file = path.join(dataDir, 'demo/story.json')
  const isTold = async () => (JSON.parse(await readFile(file, 'utf8')) as { told: boolean }).told
  while (!(await isTold())) await new Promise((done) => setTimeout(done, 500))
}

async function questionsOf(world: World): Promise<Question[]> {
  const { ask } = await enter(world.url, personOf(await readDemo(world), 'anna'))
  const isThere = async (address: string) =>
    (await ask('GET', `${address}/openapi.json`)).status === 200
  // An earlier version does not have every service.
  const there = await Promise.all(
    withDocuments.map(async (address) => ((await isThere(address)) ? [address] : [])),
  )
  return everyQuestion(ask, there.flat())
}

/** Answers to all questions by each person of the demo, in their own organization. */
async function askAll(
  world: World,
  questions: readonly Question[],
  ids: Record<string, string | number>,
  until: string,
): Promise<Answers> {
  const all = new Map<string, Answer>()
  for (const person of (await readDemo(world)).people) {
    const { ask } = await enter(world.url, person)
    const asking = { who: person.username, ask, org: person.organization, ids, until }
    for (const [call, answer] of await answersOf(questions, asking)) all.set(call, answer)
    for (const [call, answer] of await valuesOf(asking)) all.set(call, answer)
  }
  return all
}

/** Compares the last two rounds; what differs between the first two changes by itself. */
function compare([first, second, third]: readonly Answers[]) {
  if (!first || !second || !third) throw new Error('three rounds of answers are compared')
  const known = changing(differences(first, second))
  const found = differences(second, third).filter(
    (one) => !known.has(keyOf(one)) && !isMeant(keyOf(one)),
  )
  const ok = [...second.values()].filter(({ status }) => status === 200).length
  say(`${second.size} calls were made before and after, ${ok} of them answered 200.`)
  expectThat(found.length === 0, `${found.length} fields differ after the upgrade`)
  const kinds = Map.groupBy(found, keyOf)
  for (const [kind, [one]] of kinds)
    say(`  ${kind}: ${JSON.stringify(one?.before)} → ${JSON.stringify(one?.after)} (${one?.call})`)
}

type Job = { id: string; state: string; result: { values?: number } | null; error: string | null }

/** Starts an export of all values, which a job writes. */
async function startExport(world: World) {
  const call = await signInOperator(world)
  const { id } = await call<Job>(
    'POST',
    `platform/api/v1/organizations/${plant.organization}/exports`,
    {
      devices: { question: {} },
      since: '2020-01-01T00:00:00.000Z',
      to: new Date().toISOString(),
      format: 'csv',
    },
  )
  return id
}

async function exportEnds(world: World, id: string) {
  const call = await signInOperator(world)
  const ended = await until('the job ends', async () => {
    const job = await call<Job>(
      'GET',
      `platform/api/v1/jobs/${id}?organization=${plant.organization}`,
    )
    return job.state === 'PROCESSING' ? undefined : job
  })
  const text = `the job that was under way ended ${ended.state} with ${ended.result?.values} values`
  expectThat(ended.state === 'DONE' && (ended.result?.values ?? 0) > 10_000, text)
}

if (asked.from === undefined) {
  process.stderr.write('Name the earlier version: npm run upgrade-check -- --from <revision>\n')
  process.exit(2)
}
await main(asked.from)
