import { inBrowser } from '../../parts/kept/remembered.ts'

/** The state of the answer that a tab waits for, and where it is told of it. */
const waitedFor = 'signInState'
const channelName = 'longreach.signIn'
const closedAfterMs = 2_000

/** Take the answer of a sign-in in a window of its own, by its state; returns how to stop waiting. */
export function takeAnswer(state: string, take: (answer: URLSearchParams) => void) {
  const channel = new BroadcastChannel(channelName)
  inBrowser.set(waitedFor, state)
  channel.addEventListener('message', ({ data }) => {
    const answer = new URLSearchParams(String(data))
    if (answer.get('state') === state) take(answer)
  })
  return () => {
    if (inBrowser.get(waitedFor, '') === state) inBrowser.set(waitedFor, '')
    channel.close()
  }
}

/** In the window: hand identity's answer to the tab that waits for it. Returns whether one does. */
export function handAnswerOver() {
  const answer = location.hash.slice(1)
  const state = new URLSearchParams(answer).get('state')
  if (state === null || inBrowser.get(waitedFor, '') !== state) return false
  // Such a channel is of this origin alone.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  new BroadcastChannel(channelName).postMessage(answer)
  window.close()
  // A browser that keeps the window open shows the portal there.
  setTimeout(() => location.replace('/'), closedAfterMs)
  return true
}
