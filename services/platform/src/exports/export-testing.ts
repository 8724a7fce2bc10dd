import { inflateRawSync } from 'node:zlib'

/** The files of a zip by their names, read from its central directory. */
export function unzipped(zip: Buffer): Map<string, string> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  const files = new Map<string, string>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const method = zip.readUInt16LE(at + 10)
    const size = zip.readUInt32LE(at + 20)
    const [name, extra, comment] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ]
    const local = zip.readUInt32LE(at + 42)
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const data = zip.subarray(begin, begin + size)
    const text = (method === 8 ? inflateRawSync(data) : data).toString()
    files.set(zip.subarray(at + 46, at + 46 + name).toString(), text)
    at += 46 + name + extra + comment
  }
  return files
}

const plain = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

type Cell = string | number | boolean | Date

/** The cells of a sheet by row; dates as `Date` in UTC, of the clock that they show. */
export function cellsOf(sheet: string): Map<string, Cell>[] {
  return [...sheet.matchAll(/<row r="\d+">(.*?)<\/row>/gs)].map(([, row = '']) => {
    const cells = [...row.matchAll(/<c r="([A-Z]+)\d+"([^>]*)>(.*?)<\/c>/gs)]
    return new Map(
      cells.map(([, column = '', facts = '', inner = '']) => [column, cellOf(facts, inner)]),
    )
  })
}

function cellOf(facts: string, inner: string): Cell {
  if (facts.includes('inlineStr')) return plain(/<t[^>]*>(.*)<\/t>/s.exec(inner)?.[1] ?? '')
  const number = Number(/<v>(.*)<\/v>/.exec(inner)?.[1])
  if (facts.includes('t="b"')) return number === 1
  return facts.includes('s="1"') ? new Date(Math.round((number - 25_569) * 86_400_000)) : number
}
