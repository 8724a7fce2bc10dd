import type { Addition } from '../project-copy.ts'

/** Source of the agent that reads one number from a text file. */
export const edgeSource: Addition = {
  files: {
    'apps/edge/src/source-text.ts': `import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import { polledSource } from './polled-source.ts'
import type { TextSettings } from './source-settings.ts'
import { goodReading, type Source } from './tags.ts'

/** Source of the number that a text file contains, read at each interval. */
export const textSource = ({ name, file, pollMs, tags }: TextSettings, log: Logger): Source =>
  polledSource({
    name,
    where: file,
    pollMs,
    tags: tags.map((tag) => ({ name: tag.name, type: 'double' })),
    log,
    open: async () => ({
      read: async () => {
        const value = Number(await readFile(file, 'utf8'))
        return tags.map((tag) => goodReading(tag.name, value))
      },
      write: async () => {
        throw new Error(\`\${file} is only read\`)
      },
      close: async () => undefined,
    }),
  })
`,
    'apps/edge/src/text.test.ts': `import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { checkSources } from './source-settings.ts'
import { makeSource } from './sources.ts'
import { createTagTable } from './tags.ts'

test('the number in a file is read, and read again after it has changed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'longreach-text-'))
  const file = path.join(folder, 'level.txt')
  await writeFile(file, '21.5')
  const checked = checkSources([{ type: 'text', file, pollMs: 50, tags: [{ name: 'level' }] }])
  if (!checked.ok) throw new Error(checked.message)
  const [settings] = checked.sources
  if (settings === undefined) throw new Error('there is one source')
  const source = makeSource(settings, { log: pino({ level: 'silent' }), dataDir: folder })
  const table = createTagTable()
  source.start((readings) => table.accept(readings))
  await expect.poll(() => table.value('level')).toBe(21.5)
  await writeFile(file, '22')
  await expect.poll(() => table.value('level')).toBe(22)
  await source.stop()
  await rm(folder, { recursive: true })
})
`,
  },
  edits: [
    {
      file: 'apps/edge/src/source-settings.ts',
      after: 'export type HostSettings = z.output<typeof Host>\n',
      lines: `
const Text = z.strictObject({
  type: z.literal('text'),
  name: name.default('text'),
  file: z.string().min(1),
  pollMs: intervalMs.default(1_000),
  tags: z.array(z.strictObject({ name })).min(1, 'a source without tags reads nothing'),
})
export type TextSettings = z.output<typeof Text>
`,
    },
    {
      file: 'apps/edge/src/source-settings.ts',
      after: 'const kinds = [Modbus, Opcua, Mqtt, S7, EthernetIp, Host',
      lines: ', Text',
    },
    {
      file: 'apps/edge/src/sources.ts',
      after: "import { s7Source } from './source-s7.ts'\n",
      lines: "import { textSource } from './source-text.ts'\n",
    },
    {
      file: 'apps/edge/src/sources.ts',
      after: '      return hostSource(settings, context.log)\n',
      lines: "    case 'text':\n      return textSource(settings, context.log)\n",
    },
  ],
}
