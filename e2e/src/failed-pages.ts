import { afterEach } from 'vitest'
import { openPages } from './browser.ts'

// What a person would have seen when a journey failed, for who reads the run afterwards.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const page of openPages()) {
    const text = await page
      .locator('body')
      .innerText({ timeout: 5_000 })
      .catch((error: unknown) => `cannot be read: ${String(error)}`)
    process.stdout.write(`\n── ${page.url()}\n${text.slice(0, 2_000)}\n`)
  }
})
