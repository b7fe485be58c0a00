// Draws cells on a canvas, and lets the student select text. A cell is a whole number of the screen's pixels.

const FONT = '"Tutor Mono", "DejaVu Sans Mono", "Cascadia Mono", Menlo, Consolas, "Noto Sans Mono", "Nanum Gothic Coding", "Noto Sans Mono CJK KR", monospace';
const SIZE = 16;
const LEAST = { columns: 60, rows: 18 };
// The first of eight blocks: a whole cell, then seven eighths from the left, down to one.
const FULL_BLOCK = 0x2588;
// The first braille sign, and the column and the row of the dot of each bit.
const BRAILLE = 0x2800;
const DOTS = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [0, 3], [1, 3]];
// Letters of two cells, as tall as they become.
const WIDE = "뺄률";
// False in a browser that draws letters only at their own distances.
const SPACES = "letterSpacing" in CanvasRenderingContext2D.prototype;
const BOLD = 1, DIM = 2, ITALIC = 4, UNDERLINED = 8, REVERSED = 64, CROSSED = 256;

export class Screen {
    constructor(canvas, selection) {
        this.canvas = canvas;
        this.selection = selection;
        this.context = canvas.getContext("2d", { alpha: false });
        this.ground = ["#1e1e1e", "#d4d4d4"];
        this.rows = [];
    }

    // Chooses the cells for an area in CSS pixels. Returns the numbers of columns and rows.
    fit(width, height) {
        const scale = window.devicePixelRatio || 1;
        let size = SIZE;
        do {
            this.measure(size * scale);
            this.columns = Math.floor((width * scale) / this.width);
            this.lines = Math.floor((height * scale) / this.height);
        } while ((this.columns < LEAST.columns || this.lines < LEAST.rows) && --size > 5);
        this.scale = scale;
        this.canvas.width = this.columns * this.width;
        this.canvas.height = this.lines * this.height;
        this.canvas.style.width = `${this.canvas.width / scale}px`;
        this.canvas.style.height = `${this.canvas.height / scale}px`;
        this.clear();
        return { columns: this.columns, rows: this.lines };
    }

    measure(pixels) {
        const context = this.context;
        this.font = (style, times = 1) => `${style & ITALIC ? "italic " : ""}${style & BOLD ? "bold " : ""}${pixels * times}px ${FONT}`;
        context.font = this.font(0);
        const box = context.measureText("0");
        this.width = Math.round(box.width);
        this.ascent = Math.round(box.fontBoundingBoxAscent);
        this.height = this.ascent + Math.round(box.fontBoundingBoxDescent);
        this.spacing = `${this.width - box.width}px`;
        // Wide letters fill their two cells as far as a row's height lets them.
        context.font = this.font(BOLD);
        const wide = context.measureText(WIDE);
        const up = this.ascent / wide.actualBoundingBoxAscent, down = (this.height - this.ascent) / wide.actualBoundingBoxDescent;
        this.stretch = Math.max(1, Math.min((this.width * 2 * WIDE.length) / wide.width, up, down));
    }

    clear() {
        this.context.fillStyle = this.ground[0];
        this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
        this.rows = Array.from({ length: this.lines }, () => Array(this.columns).fill(" "));
        this.select(null);
    }

    // Draws the changed cells of a frame.
    draw({ runs, whole }) {
        if (whole) this.clear();
        if (runs.length > 0) this.select(null);
        for (const run of runs) this.cells(run);
    }

    cells([x, y, count, text, front, back, style]) {
        const context = this.context;
        const [left, top, width] = [x * this.width, y * this.height, count * this.width];
        let colours = [back ?? this.ground[0], front ?? this.ground[1]];
        if (style & REVERSED) colours = colours.reverse();
        const row = this.rows[y];
        // As in a terminal, a wide letter disappears if one of its cells is drawn.
        if (row?.[x] === "") this.blank(row, x - 1, y);
        if (row?.[x + count] === "") this.blank(row, x + count, y);
        context.fillStyle = colours[0];
        context.fillRect(left, top, width, this.height);
        if (row) {
            if (count === text.length) for (let at = 0; at < count; at++) row[x + at] = text[at];
            else row.splice(x, count, text, ...Array(count - 1).fill(""));
        }
        context.fillStyle = colours[1];
        context.globalAlpha = style & DIM ? 0.6 : 1;
        const block = text.codePointAt(0);
        if (block >= FULL_BLOCK && block <= FULL_BLOCK + 7) {
            // Bars have no gaps between their cells.
            context.fillRect(left, top, Math.round((width * (FULL_BLOCK + 8 - block)) / 8), this.height);
        } else if (block >= BRAILLE && block <= BRAILLE + 0xff) {
            for (let at = 0; at < count; at++) this.dots(text.codePointAt(at) - BRAILLE, left + at * this.width, top);
        } else if (text.trim() !== "") {
            // No sign leaves its cells: else its ends would stay when the cell next to it changes.
            context.save();
            context.beginPath();
            context.rect(left, top, width, this.height);
            context.clip();
            context.font = this.font(style);
            if (count === text.length && count > 1 && !SPACES) {
                for (let at = 0; at < count; at++) context.fillText(text[at], left + at * this.width, top + this.ascent);
            } else if (count === text.length && count > 1) {
                context.letterSpacing = this.spacing;
                context.fillText(text, left, top + this.ascent);
                context.letterSpacing = "0px";
            } else if (count > 1) {
                context.font = this.font(style, this.stretch);
                context.textAlign = "center";
                context.fillText(text, left + width / 2, top + this.ascent, width);
                context.textAlign = "start";
            } else {
                context.fillText(text, left, top + this.ascent, width);
            }
            context.restore();
        }
        const line = Math.max(1, Math.round(this.scale));
        if (style & UNDERLINED) context.fillRect(left, top + this.ascent + line, width, line);
        if (style & CROSSED) context.fillRect(left, top + Math.round(this.height / 2), width, line);
        context.globalAlpha = 1;
    }

    // Few fonts have braille signs, and fewer with dots that meet those of the next cell.
    dots(bits, left, top) {
        const [column, row] = [this.width / 2, this.height / 4], size = Math.max(1, Math.round(Math.min(column, row) * 0.6));
        DOTS.forEach(([x, y], bit) => {
            const [middle, level] = [left + (x + 0.5) * column, top + (y + 0.5) * row];
            if (bits & (1 << bit)) this.context.fillRect(Math.round(middle - size / 2), Math.round(level - size / 2), size, size);
        });
    }

    blank(row, x, y) {
        row[x] = " ";
        this.context.fillStyle = this.ground[0];
        this.context.fillRect(x * this.width, y * this.height, this.width, this.height);
    }

    // The cell at a place of the page.
    cell(event) {
        const box = this.canvas.getBoundingClientRect();
        const inside = (value, most) => Math.max(0, Math.min(most - 1, Math.floor(value)));
        return {
            x: inside(((event.clientX - box.left) * this.scale) / this.width, this.columns),
            y: inside(((event.clientY - box.top) * this.scale) / this.height, this.lines),
        };
    }

    // Places an element over a cell.
    place(element, [x, y], columns = 1) {
        element.style.left = `${(x * this.width) / this.scale}px`;
        element.style.top = `${(y * this.height) / this.scale}px`;
        element.style.width = `${(columns * this.width) / this.scale}px`;
        element.style.height = `${this.height / this.scale}px`;
        element.style.fontSize = `${Math.round((this.height / this.scale) * 0.8)}px`;
    }

    // Shows the rectangle between two cells as selected, or nothing.
    select(cells) {
        this.selected = cells && {
            left: Math.min(cells[0].x, cells[1].x),
            top: Math.min(cells[0].y, cells[1].y),
            right: Math.max(cells[0].x, cells[1].x),
            bottom: Math.max(cells[0].y, cells[1].y),
        };
        this.selection.hidden = !cells;
        if (!cells) return;
        const { left, top, right, bottom } = this.selected;
        this.place(this.selection, [left, top], right - left + 1);
        this.selection.style.height = `${((bottom - top + 1) * this.height) / this.scale}px`;
    }

    // The selected text.
    text() {
        if (!this.selected) return "";
        const { left, top, right, bottom } = this.selected;
        return this.rows.slice(top, bottom + 1).map((row) => row.slice(left, right + 1).join("").trimEnd()).join("\n");
    }
}
