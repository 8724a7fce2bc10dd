import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

// Thread that sends small requests between "begin" and "end", and then reports the longest time
// between a request and its answer. A thread of its own, so that work of the test, such as reading
// a large answer, is not measured as the server's.

const { pid, url } = workerData as { pid: number; url: string }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Milliseconds of processor time that the main thread of the server has used. */
function loopTime() {
  const [ns = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(ns) / 1e6
}

const smallQuestion = () =>
  new Promise<void>((resolve, reject) => {
    const call = request(`${url}/svc/core/api/v1/instance`, { agent }, (response) => {
      response.resume().on('end', resolve).on('error', reject)
    })
    call.on('error', reject).end()
  })

/** Between two questions, so that asking is not most of what the server does. */
const pauseMs = 2

let asking: Promise<number> | undefined
let running = false
parentPort?.on('message', (word: 'begin' | 'end') => {
  running = word === 'begin'
  if (running) asking = longestWork()
  else void asking?.then((longest) => tell(longest))
})

async function longestWork() {
  let longest = 0
  while (running) {
    const before = loopTime()
    await smallQuestion()
    longest = Math.max(longest, loopTime() - before)
    await new Promise((done) => setTimeout(done, pauseMs))
  }
  return longest
}

function tell(longest: number) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(longest)
}
