import { useState } from 'react'
import { reportProblem } from '../../parts/api/problems.ts'

/** `leave` signs out; `failed` once identity refused, and the session goes on. */
export function useSignOut(signOut: () => Promise<void>) {
  const [failed, setFailed] = useState(false)
  const leave = async () => {
    setFailed(false)
    try {
      await signOut()
    } catch (cause) {
      reportProblem('The session was not ended', cause)
      setFailed(true)
    }
  }
  return { failed, leave: () => void leave() }
}
