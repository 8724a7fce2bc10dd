import type { Point } from '@longreach/telemetry/store'

/** Position in the pages of a series; only the next page is waited for. */
export class Cursor {
  readonly name: string
  private readonly pages: AsyncIterator<Point[]>
  private page: Point[] = []
  private at = 0

  private constructor(name: string, pages: AsyncIterable<Point[]>) {
    this.name = name
    this.pages = pages[Symbol.asyncIterator]()
  }

  static async open(name: string, pages: AsyncIterable<Point[]>) {
    const cursor = new Cursor(name, pages)
    await cursor.fill()
    return cursor
  }

  /** The time of the next value; undefined at the end. */
  get time() {
    return this.page[this.at]?.t
  }

  get isEmpty() {
    return this.at >= this.page.length
  }

  take(): Point {
    const point = this.page[this.at]
    if (!point) throw new Error('A cursor at its end was read')
    this.at += 1
    return point
  }

  /** Go to the next page that holds something. */
  async fill() {
    while (this.isEmpty) {
      const { value, done } = await this.pages.next()
      if (done) return
      this.page = value
      this.at = 0
    }
  }
}

/** The one whose next value is the oldest; undefined when all are at their end. */
export function earliest(cursors: readonly Cursor[]): Cursor | undefined {
  let found: Cursor | undefined
  for (const cursor of cursors) {
    if (cursor.time === undefined) continue
    if (found?.time === undefined || cursor.time < found.time) found = cursor
  }
  return found
}
