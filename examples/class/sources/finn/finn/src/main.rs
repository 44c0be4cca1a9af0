use std::{env, fs, process};

const ORDER: [usize; 7] = [3, 2, 4, 1, 5, 0, 6];

struct Board {
    columns: Vec<Vec<u8>>,
    player: u8,
}

impl Board {
    fn read(text: &str) -> Option<Board> {
        let lines: Vec<&str> = text.split_whitespace().collect();
        if lines.len() != 7 || lines[..6].iter().any(|line| line.len() != 7 || line.bytes().any(|b| !(b'0'..=b'2').contains(&b))) {
            return None;
        }
        let columns = (0..7)
            .map(|c| (0..6).rev().map(|r| lines[r].as_bytes()[c] - b'0').filter(|&p| p != 0).collect())
            .collect();
        Some(Board { columns, player: lines[6].parse().ok()? })
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for r in (0..6).rev() {
            for column in &self.columns {
                text.push((b'0' + column.get(r).copied().unwrap_or(0)) as char);
            }
            text.push('\n');
        }
        text + &format!("{}\n", self.player)
    }

    fn run(&self, column: usize, dc: i32, dr: i32) -> i32 {
        let (mut c, mut r) = (column as i32, self.columns[column].len() as i32 - 1);
        for length in 0..3 {
            c += dc;
            r += dr;
            if !(0..7).contains(&c) || r < 0 || self.columns[c as usize].get(r as usize) != Some(&self.player) {
                return length;
            }
        }
        3
    }

    fn drop(&mut self, c: usize) -> i32 {
        self.columns[c].push(self.player);
        let points = [(1, 0), (0, 1), (1, 1), (1, -1)]
            .iter()
            .map(|&(dc, dr)| (self.run(c, dc, dr) + self.run(c, -dc, -dr) - 2).max(0))
            .sum();
        self.player = 3 - self.player;
        points
    }

    fn undo(&mut self, c: usize) {
        self.columns[c].pop();
        self.player = 3 - self.player;
    }

    fn search(&mut self, depth: i32, mut alpha: i32, beta: i32) -> (i32, Option<usize>) {
        let (mut best, mut choice) = (-1000, None);
        for c in ORDER {
            if self.columns[c].len() == 6 || depth == 0 {
                continue;
            }
            let points = self.drop(c);
            let value = points - self.search(depth - 1, points - beta, points - alpha).0;
            self.undo(c);
            if value > best {
                (best, choice) = (value, Some(c));
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        if choice.is_none() { (0, None) } else { (best, choice) }
    }
}

fn main() {
    let args: Vec<String> = env::args().collect();
    let mut board = match fs::read_to_string(&args[2]) {
        Ok(text) => Board::read(&text).unwrap_or_else(|| {
            eprintln!("not a position");
            process::exit(1)
        }),
        Err(_) => Board { columns: vec![Vec::new(); 7], player: 1 },
    };
    let depth: i32 = args[4].parse().unwrap();
    match board.search(depth.max(1), -1000, 1000).1 {
        None => println!("The board is full."),
        Some(c) => {
            board.drop(c);
            fs::write(&args[3], board.text()).unwrap();
            println!("column {}", c + 1);
        }
    }
}
