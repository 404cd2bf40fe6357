import { readFile } from 'node:fs/promises'
import { gte } from 'semver'
import { describe, expect, it } from 'vitest'
import { migrationNames } from '../../src/platform/db/migrate.ts'
import { declaredVersion } from '../../src/platform/db/schema-history.ts'
import { packageVersion } from '../../src/platform/settings/version.ts'
import { contractionsOf } from '../support/sql/migration-rules.ts'

/** From here on two versions of the program use one database during an upgrade. */
const FIRST = '0009'

describe('migrations from 0009 on', () => {
  it('only add, or declare from which version on the program does not need what they remove', async () => {
    const faults: string[] = []
    for (const name of (await migrationNames()).filter((one) => one >= FIRST)) {
      const sql = await readFile(`migrations/${name}`, 'utf8')
      const declared = declaredVersion(sql)
      if (declared === null) faults.push(...contractionsOf(sql).map((line) => `${name}: ${line}`))
      // The version before this one runs during the upgrade, and must not need it either.
      else if (gte(declared, packageVersion())) faults.push(`${name}: ${declared} is not released yet`)
    }
    expect(faults, 'see docs/operate/processes.md, "Rolling upgrade"').toEqual([])
  })

  it('declare a version in the first line', () => {
    expect(declaredVersion('-- contract: 1.20.3\ndrop table a')).toBe('1.20.3')
    expect(declaredVersion('drop table a;\n-- contract: 1.20.3\n')).toBeNull()
    expect(declaredVersion('-- contract: next\ndrop table a')).toBeNull()
  })
})

describe('the rules of migrations', () => {
  it.each([
    'create table a (id int primary key, name text not null); create unique index on a (name)',
    'create table a (id int); alter table a alter id set not null; update a set id = 1; revoke update on a from b',
    'alter table region add column note text',
    "alter table region add column note text not null default '' check (note <> 'x')",
    'alter table region add column n int; update region set n = 1; alter table region add unique (tenant_id, n)',
    'alter table region add column n int; alter table region add constraint n_c check (n > 0)',
    'alter table region add column u uuid; alter table region add foreign key (tenant_id, u) references role',
    "alter table region drop constraint kind; alter table region add constraint kind check (kind in ('a', 'b'))",
    'alter table region alter column note set default 1',
    'create index on region (name)',
    'create or replace function f() returns int language sql as $$ select 1 $$',
    'drop trigger t on region; create trigger t after insert on region for each row execute function f()',
    "insert into region (tenant_id, name) select 1, 'x'",
  ])('accept: %s', (sql) => {
    expect(contractionsOf(sql)).toEqual([])
  })

  it.each([
    ['drop table region', 'dropped OBJECT_TABLE region'],
    ['drop function f(int)', 'dropped OBJECT_FUNCTION f'],
    ['drop index region_key', 'dropped OBJECT_INDEX region_key'],
    ['drop trigger t on region', 'dropped OBJECT_TRIGGER region.t'],
    ['alter table region rename to area', 'RenameStmt'],
    ['alter table region rename column a to b', 'RenameStmt'],
    ['alter table region drop column a', 'AT_DropColumn of region.a'],
    ['alter table region alter column a type bigint', 'AT_AlterColumnType of region.a'],
    ['alter table region alter column a set not null', 'AT_SetNotNull of region.a'],
    ['alter table region alter column a drop not null', 'AT_DropNotNull of region.a'],
    ['alter table region alter column a drop default', 'no default of region.a'],
    ['alter table region add column a text not null', 'not null and has no default'],
    ['alter table region drop constraint a', 'dropped constraint region.a'],
    ['alter table region add constraint a check (b > 0)', 'a constraint on the rows of region'],
    ['alter table region add unique (a)', 'a constraint on the rows of region'],
    ['alter table region add foreign key (a) references role (id)', 'a constraint on the rows of region'],
    ['create unique index on region (a)', 'a unique index on region'],
    ['update region set a = 1', 'changed values of region.a'],
    ['delete from region', 'DeleteStmt'],
    ['truncate region', 'TruncateStmt'],
    ['revoke update on region from current_user', 'revoked rights on region'],
    ['do $$ begin end $$', 'DoStmt'],
  ])('reject: %s', (sql, line) => {
    expect(contractionsOf(sql).join()).toContain(line)
  })
})
