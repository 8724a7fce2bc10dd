import { expect, test } from 'vitest'
import { runTogether } from './run-together.ts'
import type { Step } from './steps.ts'

const step = (name: string, program: string): Step => ({
  name,
  command: process.execPath,
  args: ['-e', program],
})
const forEver = 'setInterval(() => {}, 1000)'

async function run(list: Step[], lanes = 2) {
  const texts: string[] = []
  const failure = await runTogether(list, { lanes, write: (text) => void texts.push(text) })
  return { failure, texts }
}

test('each step writes its output in one piece when it ends', async () => {
  const { failure, texts } = await run([
    step('first', 'console.log("a"); setImmediate(() => console.log("b"))'),
    step('second', 'console.log("c")'),
  ])
  expect(failure).toBeUndefined()
  expect(texts.map((text) => text.replace(/: .* s/, '')).toSorted()).toEqual([
    '\n── first\na\nb\n   first\n',
    '\n── second\nc\n   second\n',
  ])
})

test('the first step that fails is named, gives the exit code and ends the others', async () => {
  const { failure, texts } = await run([
    step('endless', forEver),
    step('wrong', 'console.log("reason"); process.exit(3)'),
    step('later', forEver),
  ])
  expect(failure).toEqual({ name: 'wrong', code: 3 })
  expect(texts.join('')).toContain('reason')
  expect(texts).toHaveLength(1)
})

test('a program that does not exist is an error', async () => {
  const missing = { name: 'missing', command: 'no-such-program', args: [] }
  await expect(run([missing])).rejects.toThrow('ENOENT')
})
