import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import path from 'node:path'

const scope = 'node_modules/@longreach'

/** Links the program's own packages below `root` where its modules find them; they will be below `target`. */
export async function linkOwnPackages(root: string, target = root): Promise<void> {
  await mkdir(path.join(root, scope), { recursive: true })
  for (const name of await readdir(path.join(root, 'packages'))) {
    const link = path.join(root, scope, name)
    if (!existsSync(link)) await symlink(path.join(target, 'packages', name), link, 'junction')
  }
}
