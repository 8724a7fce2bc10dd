import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { saveStory, readStory } from './demo-plan.ts'

test('the story is read whole while it is written again', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-story-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const story = { began: 1_700_000_000_000, told: false }
  await saveStory(folder, story)
  let writing = true
  const writeAgain = async () => {
    for (let times = 0; times < 300; times++) await saveStory(folder, story)
    writing = false
  }
  const written = writeAgain()
  while (writing) expect(await readStory(folder, 0)).toEqual(story)
  await written
})
