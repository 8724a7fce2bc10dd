import { useCallback, useSyncExternalStore } from 'react'
import { inBrowser } from '../kept/remembered.ts'
import { useSession } from '../session/session.ts'
import type { SeverityName } from './severity.ts'
import { noSound, type SoundChoice, tonesOf } from './sound-choice.ts'

const listeners = new Set<() => void>()
const tellAll = () => {
  for (const tell of listeners) tell()
}
const onSoundChange = (tell: () => void) => {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

const choiceKey = (subject: string) => `alarm-sound.${subject}`

/** Choice of the person about the sound of new alarms, in this browser. */
export function useSoundChoice() {
  const { subject } = useSession()
  const text = useSyncExternalStore(onSoundChange, () =>
    JSON.stringify(inBrowser.get<Partial<SoundChoice>>(choiceKey(subject), {})),
  )
  const choice: SoundChoice = { ...noSound, ...(JSON.parse(text) as Partial<SoundChoice>) } // written below
  const change = useCallback(
    (next: Partial<SoundChoice>) => {
      const kept = inBrowser.get<Partial<SoundChoice>>(choiceKey(subject), {})
      inBrowser.set(choiceKey(subject), { ...kept, ...next })
      tellAll()
    },
    [subject],
  )
  return [choice, change] as const
}

let context: AudioContext | undefined

/** True when the browser lets the page make a sound: only after somebody has pressed something on it. */
export const useIsSoundReady = () =>
  useSyncExternalStore(onSoundChange, () => context?.state === 'running')

/** Makes sounds possible, after a press or a key. */
export async function readySound() {
  if (context === undefined) {
    context = new AudioContext()
    context.addEventListener('statechange', tellAll)
  }
  await context.resume()
  tellAll()
}

/** Plays the sound of a severity; nothing while the browser does not allow it. */
export function playSound(severity: SeverityName) {
  if (context?.state !== 'running') return
  const begin = context.currentTime + 0.02
  for (const [hertz, at, length] of tonesOf[severity]) playTone(context, hertz, begin + at, length)
}

function playTone(audio: AudioContext, hertz: number, at: number, length: number) {
  const tone = audio.createOscillator()
  const loudness = audio.createGain()
  tone.type = 'triangle'
  tone.frequency.value = hertz
  // Without slopes a tone begins and ends with a crack.
  loudness.gain.setValueAtTime(0, at)
  loudness.gain.linearRampToValueAtTime(0.25, at + 0.01)
  loudness.gain.setValueAtTime(0.25, at + length - 0.03)
  loudness.gain.linearRampToValueAtTime(0, at + length)
  tone.connect(loudness).connect(audio.destination)
  tone.start(at)
  tone.stop(at + length)
}
