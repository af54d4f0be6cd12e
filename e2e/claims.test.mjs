// claims: each comes to the verdict recorded for this engine on this kind of device, and shows the browser's words

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { adapter, claims, ENGINES, expectations, launch, pages, read, tried, until } from './site.mjs';

const RECORDED = read('www/recorded/claims.json');

for (const engine of ENGINES) {
  describe(engine, () => {
    let site;
    before(async () => (site = await launch(engine)));
    after(() => site.close());

    const seen = new Set();
    const consoled = new Set();
    let record;

    for (const { path } of pages.filter(({ twice, claims }) => !twice && claims.length > 0)) {
      test(`${path} comes to the recorded verdicts`, () =>
        site.visit(path, async (page) => {
          await tried(page);
          const { vendor, architecture } = await adapter(page);
          record = Object.values(RECORDED).find((it) => it.engine === engine && it.vendor === vendor && it.architecture === architecture);
          assert.ok(record, `no record of ${engine} on "${vendor}" "${architecture}": cargo xtask record`);
          const shown = await claims(page);
          for (const { id, verdict, recorded, tries, words } of shown) {
            const known = record.claims[id];
            assert.equal(verdict, known?.verdict, id);
            for (const { name, outcome, value } of tries) {
              assert.equal(outcome === undefined, verdict === 'unavailable', `${id}, ${name} shows no outcome`);
              assert.equal(outcome, known.tries[name]?.outcome, `${id}, ${name}`);
              // A value that is only shown may be another each time.
              if (verdict !== 'shown') assert.equal(value, known.tries[name].value, `${id}, ${name}`);
            }
            assert.equal(recorded, verdict, `${id} shows another record`);
            const said = tries.find(({ message }) => message !== undefined)?.message.trim();
            assert.equal(words, said, `${id} does not show the browser’s words`);
            assert.equal(said !== undefined, tries.some(({ outcome }) => ['rejected', 'thrown'].includes(outcome)), id);
            seen.add(id);
          }
          for (const message of page.expected) consoled.add(message);
        }));
    }

    test('the record has no claim that no page makes', () => {
      assert.deepEqual(Object.keys(record.claims).sort(), [...seen].sort());
    });

    test('the tally counts them all', () =>
      site.visit('index.html', async (page) => {
        const verdicts = Object.values(record.claims).map(({ verdict }) => verdict);
        const count = (verdict) => verdicts.filter((it) => it === verdict).length;
        const counts = ['holds', 'fails', 'shown', 'unavailable'].map(count);
        const all = [verdicts.length - count('unavailable'), verdicts.length, ...counts];
        const says = () => page.$eval('[data-slot=score]', (score) => (score.textContent.match(/\d+/g) ?? []).map(Number));
        await until(page, () => /\d/.test(document.querySelector('[data-slot=score]').textContent));
        assert.deepEqual(await says(), all);
        await page.locator('[data-act=forget]').click();
        assert.deepEqual(await says(), []);
      }));

    test('console.json expects nothing that is not printed', () => {
      const expected = expectations[engine].map(({ claim, pattern }) => `${claim}: ${pattern}`);
      assert.deepEqual([...consoled].sort(), expected.sort());
    });
  });
}
