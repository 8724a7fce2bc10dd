import { AppError } from '@longreach/kit/errors'
import { defineSubject, subjectAt } from '@longreach/kit/fabric-contract'
import { z } from 'zod'
import type { PlatformDeps } from '../deps.ts'
import type { ConsoleFrame } from '../devices/device-console.ts'
import type { Directory } from '../devices/device-directory.ts'
import { askHolder } from '../lines/line-calls.ts'
import { Frame } from './live-watch-contract.ts'

/** Frames that a process keeps of a device, oldest first; the newest ones where all would be too many. */
const framesSubject = defineSubject({
  subject: 'node.:node.frames',
  request: z.object({ deviceId: z.string() }),
  reply: z.array(Frame),
  reads: true,
})
/** Most characters of an answer: half of what a message may have. */
const mostText = 512 * 1024

/** Frames that the process of the device keeps; none when the device is connected here or to none, or it cannot be asked. */
export async function framesElsewhere(
  deps: PlatformDeps,
  deviceId: string,
): Promise<ConsoleFrame[]> {
  try {
    return (await askHolder(deps, framesSubject, { deviceId, request: { deviceId } })) ?? []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [] // the socket says that values are delayed
  }
}

/** Answers for the frames that this process keeps. Those who ask show a person what the person may see. */
export const answerFrames = (
  directory: Pick<Directory, 'known'>,
  { fabric, ownProcess }: Pick<PlatformDeps, 'fabric' | 'ownProcess'>,
) =>
  fabric.answer(
    { ...framesSubject, ...subjectAt(framesSubject, { node: ownProcess.number }) },
    ({ deviceId }) => {
      const newest: ConsoleFrame[] = []
      let text = 0
      for (const frame of directory.known(deviceId)?.console?.frames.toReversed() ?? []) {
        text += JSON.stringify(frame).length
        if (text > mostText) break
        newest.push(frame)
      }
      return newest.toReversed().map((frame) => ({ ...frame }))
    },
  )
