import { parseArgs } from 'node:util'
import { z } from 'zod'

const Options = z.object({
  port: z.coerce.number().int().min(0).max(65_535).default(0),
  host: z.string().default('127.0.0.1'),
  seed: z.coerce.number().int().default(1),
  speed: z.coerce.number().positive().max(1_000).default(1),
  'data-dir': z.string().optional(),
})
type PlantOptions = z.output<typeof Options>

/**
 * Options `--port 0 --host 127.0.0.1 --seed 1 --speed 1 --data-dir …`; throws with the name of an
 * invalid one.
 */
function plantOptions(args: string[]): PlantOptions {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: { port: text, host: text, seed: text, speed: text, 'data-dir': text },
  })
  const parsed = Options.safeParse(values)
  if (parsed.success) return parsed.data
  throw new Error(
    parsed.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'),
  )
}

/**
 * Runs a plant server as a program: prints one JSON line when it listens, ends on SIGTERM or
 * SIGINT.
 */
export async function runPlant(
  start: (options: PlantOptions) => Promise<{ port: number; close: () => Promise<void> }>,
) {
  const plant = await start(plantOptions(process.argv.slice(2)))
  process.stdout.write(`${JSON.stringify({ ready: true, port: plant.port })}\n`)
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    void plant.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
