import type { Block, Chart, Remark, SheetCell, TableSheet, Views } from './view.ts';

/**
 * A sentence of ours about a profile that reads files of a provider, of which no service has said anything. Quoted
 * texts stay.
 */
export function ofProvider(sentence: string): string {
  return sentence.replace(/"[^"]*"|\b([Tt]he) service\b/g, (found: string, the?: string) =>
    the === undefined ? found : `${the} provider`,
  );
}

/** Columns whose texts are ours, on screens and sheets. */
const ownColumns = /^(What|To do|Why|Step|State|Kind|Point|Answer|Next)$/;

function areOwn(columns: readonly { readonly title: string }[]) {
  const own = columns.map(({ title }) => ownColumns.test(title));
  return <Cell>(cell: Cell, at: number) =>
    typeof cell === 'string' && own[at] ? ofProvider(cell) : cell;
}

const remarkOf = (one: Remark): Remark => ({ ...one, text: ofProvider(one.text) });

function blockOf<One extends Block | Chart>(block: One): One;
function blockOf(block: Block | Chart): Block | Chart {
  switch (block.kind) {
    case 'answer':
    case 'chart':
      return { ...block, text: ofProvider(block.text) };
    case 'facts':
      return {
        ...block,
        facts: block.facts.map(([label, value]) => [ofProvider(label), ofProvider(value)]),
      };
    case 'remarks':
      return { ...block, remarks: block.remarks.map(remarkOf) };
    case 'section': {
      const cellOf = areOwn(block.columns);
      const rows = block.rows.map(({ cells, remarks, ...row }) => ({
        ...row,
        cells: cells.map(cellOf),
        remarks: remarks.map(remarkOf),
      }));
      return { ...block, title: ofProvider(block.title), rows };
    }
  }
}

function sheetOf(sheet: TableSheet): TableSheet {
  const cellOf = areOwn(sheet.columns);
  return { ...sheet, rows: sheet.rows.map((row) => row.map<SheetCell>(cellOf)) };
}

/** A report about such a profile. Records and documents have no sentences. */
export function viewsOfProvider({ view, ticket, page, workbook, ...others }: Views): Views {
  return {
    ...others,
    view: () => view().map(blockOf),
    ...(ticket && { ticket: () => ticket().map(blockOf) }),
    ...(page && { page: () => page().map(blockOf) }),
    ...(workbook && {
      workbook: () => {
        const { summary, tables, ...rest } = workbook();
        return {
          ...rest,
          summary: summary.map((one) =>
            one.kind === 'table' ? { ...one, table: sheetOf(one.table) } : blockOf(one),
          ),
          tables: tables.map(sheetOf),
        };
      },
    }),
  };
}
