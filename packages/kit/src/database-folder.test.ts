import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, copyFile, lstat, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { databaseFolder } from './database-folder.ts'
import { startPostgres } from './embedded-postgres.ts'

/** Only root can switch users, so the whole proof runs the tests as root and as another user. */
const isRoot = process.getuid?.() === 0
const stranger = 12_345
const folders: string[] = []

const newFolder = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-folder-'))
  await chmod(folder, 0o755)
  folders.push(folder)
  return folder
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

const modeOf = async (place: string) => (await lstat(place)).mode & 0o777

const ask = async (connection: pg.ClientConfig) => {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ user: string }>('select current_user as user')
  await client.end()
  return rows[0]?.user
}

/** Program that sends a startup packet as user "longreach" to the socket and prints the answer. */
const knock = `const words = Buffer.from('user\\0longreach\\0database\\0postgres\\0\\0')
  const head = Buffer.alloc(8)
  head.writeInt32BE(words.length + 8, 0)
  head.writeInt32BE(196608, 4)
  const line = require('node:net').connect(process.argv[1])
  line.on('error', ({ code }) => console.log(code))
  line.on('data', (data) => (console.log(data.toString()), line.destroy()))
  line.write(Buffer.concat([head, words]))`

test('the socket lies in the closed folder of the data, and the server is reached there', async () => {
  const home = path.join(await newFolder(), 'postgres')
  const server = await startPostgres({ dataDir: home })
  expect(server.connection.host).toBe(home)
  expect(await modeOf(home)).toBe(0o700)
  expect(await ask(server.connection)).toBe('longreach')
  const shared = await startPostgres({ dataDir: home, share: true })
  expect(await ask(shared.connection)).toBe('longreach')
  await server.stop()
})

test('a folder with a long path gets a closed one of a new name for its socket, gone after the stop', async () => {
  const home = path.join(await newFolder(), 'a'.repeat(90), 'postgres')
  const server = await startPostgres({ dataDir: home })
  const { host } = server.connection
  expect(host.startsWith(path.join(os.tmpdir(), 'longreach-socket-'))).toBe(true)
  expect(await modeOf(host)).toBe(0o700)
  const shared = await startPostgres({ dataDir: home, share: true })
  expect(shared.connection.host).toBe(host)
  expect(await ask(shared.connection)).toBe('longreach')
  await server.stop()
  await expect(lstat(host)).rejects.toThrow('ENOENT')
})

test('a folder that was open is closed', async () => {
  const home = path.join(await newFolder(), 'postgres')
  await mkdir(home)
  await chmod(home, 0o777)
  await databaseFolder(home)
  expect(await modeOf(home)).toBe(0o700)
})

test('a file in the place of the folder is refused, and so is a folder below one in which all may write', async () => {
  const folder = await newFolder()
  execFileSync('touch', [path.join(folder, 'postgres')])
  await expect(databaseFolder(path.join(folder, 'postgres'))).rejects.toThrow('must be a directory')
  const open = path.join(folder, 'open')
  await mkdir(open)
  await chmod(open, 0o777)
  await expect(databaseFolder(path.join(open, 'postgres'))).rejects.toThrow(
    `Everybody may write in ${open}`,
  )
  await chmod(open, 0o1777)
  expect((await databaseFolder(path.join(open, 'postgres'))).home).toBe(path.join(open, 'postgres'))
})

test.runIf(isRoot)(
  'a folder, or a link, that another user made is refused and not changed',
  async () => {
    const folder = await newFolder()
    const made = path.join(folder, 'postgres')
    execFileSync('install', ['-d', '-o', String(stranger), '-m', '777', made])
    await expect(startPostgres({ dataDir: made })).rejects.toThrow(
      `${made} belongs to another user (id ${stranger})`,
    )
    expect(await lstat(made)).toMatchObject({ uid: stranger })
    expect(await modeOf(made)).toBe(0o777)
    const target = path.join(folder, 'target')
    await mkdir(target)
    await symlink(target, path.join(folder, 'link'))
    execFileSync('chown', ['-h', String(stranger), path.join(folder, 'link')])
    await expect(startPostgres({ dataDir: path.join(folder, 'link') })).rejects.toThrow(
      'another user',
    )
    expect(await lstat(target)).toMatchObject({ uid: 0 })
  },
)

test.runIf(isRoot)(
  'as root the database has a user of its own, and lets in nobody but root',
  async () => {
    const home = path.join(await newFolder(), 'postgres')
    const server = await startPostgres({ dataDir: home })
    const { uid } = await lstat(home)
    const { owner } = await databaseFolder(home)
    expect(owner).toMatchObject({ name: 'longreach-db', uid })
    const status = await readFile(`/proc/${server.pid()}/status`, 'utf8')
    expect(status).toMatch(new RegExp(`^Uid:\\s+${uid}\\s+${uid}\\s`, 'm'))
    // The database's user reaches the socket and the server refuses it; other users cannot reach
    // the socket.
    const node = path.join(await newFolder(), 'node')
    await copyFile(process.execPath, node) // a place where another user may run it
    for (const [other, word] of [
      [uid, 'Peer authentication failed'],
      [stranger, 'EACCES'],
    ] as const) {
      const options = { uid: other, gid: other, cwd: '/', encoding: 'utf8' } as const
      const args = ['-e', knock, path.join(home, '.s.PGSQL.5432')]
      expect(spawnSync(node, args, options).stdout).toContain(word)
    }
    await server.stop()
  },
)

test.runIf(isRoot)(
  "data of the user nobody are handed to the database's own and kept",
  async () => {
    const home = path.join(await newFolder(), 'postgres')
    const first = await startPostgres({ dataDir: home })
    const client = new pg.Client(first.connection)
    await client.connect()
    await client.query('create table kept as select 7 as value')
    await client.end()
    await first.stop()
    execFileSync('chown', ['-R', 'nobody', home])
    const again = await startPostgres({ dataDir: home })
    const reader = new pg.Client(again.connection)
    await reader.connect()
    expect((await reader.query('select value from kept')).rows).toEqual([{ value: 7 }])
    await reader.end()
    await again.stop()
    const { owner } = await databaseFolder(home)
    expect(owner?.name).toBe('longreach-db')
  },
)
