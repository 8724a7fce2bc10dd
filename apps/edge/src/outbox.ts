import {
  fsync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { decodePayload } from '@longreach/device-protocol/payload'
import { z } from 'zod'
import {
  appendRecords,
  closeSegment,
  encodeEntry,
  type Entry,
  openSegment,
  readEntries,
  type Segment,
} from './outbox-file.ts'
import { messageOf } from './retry.ts'

export type OutboxOptions = {
  dir: string
  maxBytes: number
  /** Values that are discarded when the outbox is full: new ones, or the oldest segment. */
  drop: 'newest' | 'oldest'
  segmentBytes?: number
  /** Called for every loss with the number of values and the reason. */
  onDrop?: (count: number, reason: string) => void
}

/** Entry that was taken and is not acknowledged yet. */
export type Taken = Entry & { done: boolean; segment: number; end: number }
const Cursor = z.object({
  segment: z.int().min(0),
  offset: z.int().min(0),
  dropped: z.int().min(0),
})
const syncEveryMs = 1_000

/**
 * Queue of values for the platform, stored in files, in order. An entry is removed when it is
 * acknowledged and survives any end of the process. After a crash acknowledged entries may be sent
 * again; none is lost.
 */
export class Outbox {
  readonly #options: OutboxOptions
  readonly #eachBytes: number
  readonly #cursorFile: string
  readonly #segments: Segment[]
  readonly #timer: NodeJS.Timeout
  /** Offset in the first segment before which everything is acknowledged. */
  #head: number
  #reading: { segment: number; offset: number }
  #taken: Taken[] = []
  #waiting: number
  #dropped: number
  #unsynced = false
  #cursorChanged = false
  readonly #listeners = new Set<() => void>()

  constructor(options: OutboxOptions) {
    const { dir, maxBytes, segmentBytes } = options
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    this.#options = options
    this.#eachBytes = segmentBytes ?? Math.min(8 * 1024 * 1024, Math.ceil(maxBytes / 8))
    this.#cursorFile = path.join(dir, 'cursor.json')
    const cursor = readCursor(this.#cursorFile)
    this.#segments = openSegments(dir)
    for (const old of takeWhile(this.#segments, ({ number }) => number < cursor.segment))
      remove(old)
    const [first] = this.#segments
    // A power cut may keep the cursor and lose the records before it.
    this.#head = first?.number === cursor.segment ? Math.min(cursor.offset, first.bytes) : 0
    this.#reading = { segment: first?.number ?? cursor.segment, offset: this.#head }
    this.#dropped = cursor.dropped
    const kept = this.#segments.reduce((sum, { entries }) => sum + entries, 0)
    this.#waiting = kept - entriesBefore(first, this.#head)
    this.#timer = setInterval(() => this.#keep(), syncEveryMs)
  }

  /** Number of entries that are not acknowledged. */
  get waiting() {
    return this.#waiting
  }

  get bytes() {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Time of the oldest waiting value in ms since 1970; null without one. */
  oldestAt(): number | null {
    const [first, second] = this.#segments
    const entry =
      first && (readEntries(first, this.#head, 1)[0] ?? (second && readEntries(second, 0, 1)[0]))
    const decoded = entry && this.#waiting > 0 ? decodePayload(entry.payload) : undefined
    return decoded?.ok ? (decoded.t ?? null) : null
  }

  /** Values lost since the outbox was made. */
  get dropped() {
    return this.#dropped
  }

  /** Stores entries. Returns how many were stored; the others count as dropped. */
  add(entries: readonly Entry[]): number {
    if (entries.length === 0) return 0
    const records = entries.map(encodeEntry)
    const bytes = records.reduce((sum, { length }) => sum + length, 0)
    if (!this.#makeRoom(bytes)) {
      this.#lose(entries.length, 'the buffer is full: new values are given up')
      return 0
    }
    try {
      appendRecords(this.#last(), records)
    } catch (error) {
      this.#lose(entries.length, `the buffer cannot be written: ${messageOf(error)}`)
      return 0
    }
    this.#waiting += entries.length
    this.#unsynced = true
    for (const listener of this.#listeners) listener()
    return entries.length
  }

  /** Registers a listener for new entries; returns how to remove it. */
  onAdded(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Next entries in order, which are in flight until acknowledged or taken back. */
  take(limit: number): Taken[] {
    const segment = this.#segments.find(({ number }) => number === this.#reading.segment)
    if (!segment || this.#reading.offset >= segment.bytes) {
      const next = this.#segments.find(({ number }) => number > this.#reading.segment)
      if (!next) return []
      this.#reading = { segment: next.number, offset: 0 }
      return this.take(limit)
    }
    const found = readEntries(segment, this.#reading.offset, limit).map((entry): Taken => ({
      ...entry,
      done: false,
      segment: segment.number,
    }))
    this.#reading = { segment: segment.number, offset: found.at(-1)?.end ?? segment.bytes }
    this.#taken.push(...found)
    return found
  }

  /** Marks an entry as acknowledged; it is removed when all before it are. */
  acknowledge(entry: Taken) {
    entry.done = true
    const done = takeWhile(this.#taken, (one) => one.done)
    const furthest = done.at(-1)
    if (!furthest) return
    this.#waiting -= done.length
    if (this.#segments.some(({ number }) => number < furthest.segment)) {
      this.#forgetBefore(furthest.segment)
    }
    this.#head = furthest.end
    this.#cursorChanged = true
    const [first] = this.#segments
    if (first && this.#head >= first.bytes && first.bytes >= this.#eachBytes) {
      this.#forgetBefore(first.number + 1)
    }
  }

  /** Returns unacknowledged entries to the queue, at the end of a connection. */
  takeBack() {
    this.#reading = {
      segment: this.#segments[0]?.number ?? this.#reading.segment,
      offset: this.#head,
    }
    this.#taken = []
  }

  close() {
    clearInterval(this.#timer)
    this.#keep()
    for (const segment of this.#segments) closeSegment(segment)
  }

  #last(): Segment {
    const segment = this.#segments.at(-1)
    if (segment && segment.bytes < this.#eachBytes) return segment
    const number = segment ? segment.number + 1 : this.#reading.segment
    const file = path.join(this.#options.dir, `${String(number).padStart(10, '0')}.values`)
    const next = openSegment(file, number)
    this.#segments.push(next)
    return next
  }

  /**
   * Makes room for this many bytes, by discarding the oldest if that is the rule; returns false
   * without room.
   */
  #makeRoom(bytes: number) {
    const { drop, maxBytes } = this.#options
    const used = () => this.#segments.reduce((sum, segment) => sum + segment.bytes, 0)
    while (used() + bytes > maxBytes) {
      const [oldest] = this.#segments
      if (drop === 'newest' || !oldest || this.#segments.length < 2) return false
      const left = oldest.entries - entriesBefore(oldest, this.#head)
      const done = this.#taken.filter((one) => one.segment === oldest.number && one.done).length
      this.#taken = this.#taken.filter(({ segment }) => segment !== oldest.number)
      this.#forgetBefore(oldest.number + 1)
      this.#waiting -= left
      this.#lose(left - done, 'the buffer is full: the oldest values are given up')
    }
    return true
  }

  #lose(count: number, reason: string) {
    this.#dropped += count
    this.#cursorChanged = true
    this.#options.onDrop?.(count, reason)
  }

  #forgetBefore(number: number) {
    for (const old of takeWhile(this.#segments, (segment) => segment.number < number)) remove(old)
    this.#head = 0
    if (this.#reading.segment < number) this.#reading = { segment: number, offset: 0 }
    this.#cursorChanged = true
  }

  /**
   * Stores the cursor once a second, and data only while something waits, which spares the
   * gateway's flash.
   */
  #keep() {
    try {
      if (this.#cursorChanged) this.#saveCursor()
    } catch {
      this.#cursorChanged = true // full disk: retried next time; until then entries may be sent twice
    }
    const segment = this.#segments.at(-1)
    if (!this.#unsynced || this.#waiting === 0 || !segment) return
    this.#unsynced = false
    fsync(segment.descriptor, (error) => {
      if (error) this.#unsynced = true
    })
  }

  #saveCursor() {
    const segment = this.#segments[0]?.number ?? this.#reading.segment
    const cursor = { segment, offset: this.#head, dropped: this.#dropped }
    writeFileSync(`${this.#cursorFile}.new`, JSON.stringify(cursor), { mode: 0o600 })
    renameSync(`${this.#cursorFile}.new`, this.#cursorFile)
    this.#cursorChanged = false
  }
}

function remove(segment: Segment) {
  closeSegment(segment)
  rmSync(segment.file, { force: true })
}

function openSegments(dir: string): Segment[] {
  return readdirSync(dir)
    .filter((name) => /^\d{10}\.values$/.test(name))
    .toSorted()
    .map((name) => openSegment(path.join(dir, name), Number.parseInt(name, 10)))
}

function readCursor(file: string) {
  try {
    return Cursor.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { segment: 0, offset: 0, dropped: 0 } // none yet, or damaged: everything stored is sent (again)
  }
}

function entriesBefore(segment: Segment | undefined, offset: number) {
  if (!segment) return 0
  let count = 0
  for (let at = 0; at < offset;) {
    const entries = readEntries(segment, at, 10_000).filter(({ end }) => end <= offset)
    if (entries.length === 0) break
    count += entries.length
    at = entries.at(-1)?.end ?? offset
  }
  return count
}

/** Removes and returns the leading items that match. */
function takeWhile<T>(items: T[], claim: (item: T) => boolean): T[] {
  const index = items.findIndex((item) => !claim(item))
  return items.splice(0, index === -1 ? items.length : index)
}
