import { expect, test } from 'vitest'
import { replyWithTags } from './query-format.ts'

const csvOf = async (values: unknown[]) => {
  const page = values.map((v, index) => [index, v])
  const rows = async function* () {
    yield page
  }
  const answered = {
    deviceId: '-x',
    modelPath: 'Probe:1/state',
    types: ['datetime', 'string'],
    header: ['timestamp', 'value'],
    rows,
  }
  const { body } = await replyWithTags(
    // As much of an answer as its writing reads.
    [answered as unknown as Parameters<typeof replyWithTags>[0][number]],
    { format: 'csv', timestampFormat: 'unix', timezone: undefined },
    new AbortController().signal,
  )
  let text = ''
  for await (const chunk of body as AsyncIterable<string>) text += chunk
  return text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.replace(/^\d+,-x,Probe:1\/state,/, ''))
}

test('a text that a spreadsheet would run as a formula gets an apostrophe in front', async () => {
  expect(
    await csvOf(['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', 'on=1']),
  ).toEqual([
    `"'=HYPERLINK(""http://x"")"`,
    "'+1",
    "'-1",
    "'@SUM(A1)",
    `"'\t=1"`,
    `"'\r=1"`,
    'on=1',
  ])
  expect(await csvOf(['  =1', '＝1', 'x;=1'])).toEqual(["'  =1", "'＝1", '"x;=1"'])
})

test('numbers, switches and missing values stay as they are in CSV', async () => {
  expect(await csvOf([-1.5, 1e21, true, null, [-1, 2]])).toEqual([
    '-1.5',
    '1e+21',
    'true',
    '',
    '"[-1,2]"',
  ])
})
