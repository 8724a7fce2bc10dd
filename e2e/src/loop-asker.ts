import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

// A thread that asks a server small questions until it is told to stop, and then tells the longest time
// that the server worked between a question and its answer. It is a thread of its own, so that what a test
// does meanwhile, such as reading a large answer, delays no question and is not taken for the server's work.

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

let [longest, running] = [0, true]
parentPort?.once('message', () => (running = false))
while (running) {
  const before = loopTime()
  await smallQuestion()
  longest = Math.max(longest, loopTime() - before)
}
agent.destroy()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
parentPort?.postMessage(longest)
